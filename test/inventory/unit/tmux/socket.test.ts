import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  defaultSocketFolders,
  isListening,
  isSocket,
  realPath,
  socketName,
  socketsIn,
} from "../../../../src/inventory/tmux/socket.ts";
import { SocketWatch } from "../../../../src/inventory/tmux/socket-watch.ts";
import { Announcements, kernelWatches, temporaryFolder } from "../support.ts";
import { startServer } from "./support.ts";

describe("the folders in which tmux makes its sockets", () => {
  test("are those of this user below TMUX_TMPDIR and below /tmp, which tmux falls back to", () => {
    const base = temporaryFolder();
    expect(defaultSocketFolders({ TMUX_TMPDIR: base }, 7)).toEqual([
      `${base}/tmux-7`,
      "/tmp/tmux-7",
    ]);
    expect(defaultSocketFolders({ TMUX_TMPDIR: `${base}/` }, 7)[0]).toBe(`${base}/tmux-7`);
  });

  test("are only the one below /tmp where the variable says nothing else", () => {
    for (const TMUX_TMPDIR of [undefined, "", "/tmp", "/tmp/", "relative"]) {
      expect(defaultSocketFolders({ TMUX_TMPDIR }, 7)).toEqual(["/tmp/tmux-7"]);
    }
  });

  test("are spelled with links resolved, as tmux does it, whether they exist or not", () => {
    const top = temporaryFolder();
    mkdirSync(join(top, "real"));
    symlinkSync(join(top, "real"), join(top, "link"));
    const folders = () => defaultSocketFolders({ TMUX_TMPDIR: join(top, "link") }, 7);
    expect(folders()[0]).toBe(join(top, "real", "tmux-7"));
    mkdirSync(join(top, "real", "tmux-7"));
    expect(folders()[0]).toBe(join(top, "real", "tmux-7"));
  });
});

describe("the name of a socket in ids", () => {
  test("is its file's in a default folder, else its whole path, encoded", () => {
    const folders = ["/tmp/tmux-7", "/run/tmux-7"];
    expect(socketName("/tmp/tmux-7/default", folders)).toBe("default");
    expect(socketName("/run/tmux-7/my work", folders)).toBe("my%20work");
    expect(socketName("/tmp/tmux-7/below/default", folders)).toBe(
      "%2Ftmp%2Ftmux-7%2Fbelow%2Fdefault",
    );
    expect(socketName("/home/é/s", folders)).toBe("%2Fhome%2F%C3%A9%2Fs");
  });
});

describe("a path", () => {
  test("has one spelling, as far as it exists", () => {
    const top = temporaryFolder();
    symlinkSync(top, join(top, "link"));
    symlinkSync("circle", join(top, "circle"));
    expect(realPath(`${top}/link/./a/../b//c/`)).toBe(join(top, "b/c"));
    expect(realPath(join(top, "circle", "x"))).toBe(join(top, "circle", "x"));
    expect(realPath("/")).toBe("/");
  });
});

describe("a socket", () => {
  test("is one that somebody listens on, or nobody does", async () => {
    const folder = temporaryFolder();
    const { socket, end } = await startServer(join(folder, "s"));
    writeFileSync(join(folder, "file"), "");
    expect(socketsIn(folder)).toEqual([socket]);
    expect([isSocket(socket), isSocket(join(folder, "file")), isSocket(folder)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await isListening(socket)).toBe(true);
    await end();
    expect(await isListening(socket)).toBe(false);
    for (const none of [
      join(folder, "file"),
      join(folder, "none"),
      join(folder, "file", "x"),
      folder,
    ])
      expect(await isListening(none)).toBe(false);
  });

  test("is in no folder that is missing or is none", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    expect(socketsIn(join(folder, "none"))).toEqual([]);
    expect(socketsIn(join(folder, "file"))).toEqual([]);
  });
});

describe("the watch on sockets", () => {
  function watching() {
    const announced = new Announcements<string>();
    const watch = new SocketWatch({
      changed: (path) => announced.take(path ?? "again"),
      lost: (error) => announced.take(error.message),
    });
    onTestFinished(() => watch.stop());
    return { announced, watch };
  }
  const is = (wanted: string) => (path: string) => path === wanted;

  test("announces any file of a folder that is of interest whole", async () => {
    const folder = temporaryFolder();
    const { announced, watch } = watching();
    watch.addPlace(`${folder}/`);
    await announced.wait(is("again"), 0);
    const came = announced.wait(is(join(folder, "new")));
    writeFileSync(join(folder, "new"), "");
    const went = announced.wait(is(join(folder, "new")), await came);
    unlinkSync(join(folder, "new"));
    await went;
  });

  test("announces of another folder only the sockets of interest", async () => {
    const folder = temporaryFolder();
    const { announced, watch } = watching();
    watch.addSocket(join(folder, "s"));
    await announced.wait(is("again"), 0);
    const came = announced.wait(is(join(folder, "s")));
    writeFileSync(join(folder, "other"), "");
    writeFileSync(join(folder, "s"), "");
    await came;
    expect(announced.all).not.toContain(join(folder, "other"));
  });

  test("announces a place that comes only later, be it a socket or a folder of them", async () => {
    const top = temporaryFolder();
    const { announced, watch } = watching();
    const places = [join(top, "socket"), join(top, "one", "folder")] as const;
    for (const place of places) watch.addPlace(place);
    await announced.wait(is("again"), 0);
    const socket = announced.wait(is(places[0]));
    await startServer(places[0]);
    await socket;
    const folder = announced.wait(is("again"));
    mkdirSync(places[1], { recursive: true });
    await folder;
    const inside = announced.wait((path) => path === join(places[1], "s") || path === "again");
    await startServer(join(places[1], "s"));
    await inside;
  });

  test("watches each folder once and leaves nothing behind", async () => {
    const before = kernelWatches();
    const folder = temporaryFolder();
    const { announced, watch } = watching();
    watch.addPlace(folder);
    await announced.wait(is("again"), 0);
    const one = kernelWatches();
    for (const name of ["a", "b", "c"]) watch.addSocket(join(folder, name));
    expect(kernelWatches()).toBe(one);
    watch.stop();
    expect(kernelWatches()).toBe(before);
  });
});
