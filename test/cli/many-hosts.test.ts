import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { NatsServer } from "../lib/nats/server.ts";
import { Place } from "./support.ts";

async function bus(): Promise<NatsServer> {
  const server = await NatsServer.start();
  onTestFinished(() => server.end());
  return server;
}

/** A host with one terminal, and a publisher that shares it. */
async function host(server: NatsServer, name: string) {
  const place = new Place();
  place.session(name);
  const args = ["--nats", server.url, "--host-name", name, "--log-level", "info"];
  const publisher = await place.serve(args);
  await publisher.program.until(() => publisher.program.stderr.includes("shares its") || undefined);
  return { place, publisher };
}

describe("publishers that share their terminals", () => {
  test("are one list, in which each terminal has its host", async () => {
    const server = await bus();
    const [atlas, borea] = await Promise.all([host(server, "atlas"), host(server, "borea")]);
    const { stdout, stderr } = await atlas.place.run(["ls"]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^HOST +TERMINAL/m);
    expect(stdout).toMatch(/^atlas +\S+ +atlas:0\.0/m);
    expect(stdout).toMatch(/^borea +\S+ +borea:0\.0/m);
    const { stdout: json } = await borea.place.run(["ls", "--json"]);
    const { instances } = JSON.parse(json);
    expect(instances).toEqual([
      { id: borea.publisher.ready.instance, host: "borea", reachable: true },
      { id: atlas.publisher.ready.instance, host: "atlas", reachable: true },
    ]);
  });

  test("take theirs back when they stop, and end as without the others", async () => {
    const server = await bus();
    const [atlas, borea] = await Promise.all([host(server, "atlas"), host(server, "borea")]);
    const watch = atlas.place.start(["watch"]);
    await watch.line(/listed.*borea/);
    borea.publisher.program.signal("SIGTERM");
    expect((await borea.publisher.program.ended).code).toBe(0);
    await watch.line(/gone.*borea.*instance_stopped/);
  });

  test("serve their own where the bus cannot be reached", async () => {
    const place = new Place();
    place.session("alone");
    await place.serve(["--nats", "nats://127.0.0.1:1"]);
    expect((await place.run(["ls"])).stdout).toContain("alone:0.0");
  });

  test("are not two of one instance: the second says so and ends", async () => {
    const server = await bus();
    const { place, publisher } = await host(server, "atlas");
    const copy = new Place();
    mkdirSync(copy.state, { mode: 0o700 });
    copyFileSync(join(place.state, "instance.id"), join(copy.state, "instance.id"));
    const second = copy.start(["serve", "--port", "0", ...copy.looking, "--nats", server.url]);
    const { code, stderr } = await second.ended;
    expect(code).toBe(1);
    expect(stderr).toContain("a publisher on the host atlas has the instance id");
    expect(stderr).toContain("instance.id");
    expect(publisher.program.child.exitCode).toBeNull();
  });
});

describe("options that cannot be meant", () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await new Place().run(["serve", "--port", "0", ...args]);
    expect(code).toBe(2);
    return stderr;
  };

  test("are refused in words", async () => {
    expect(await refused("--nats-bucket", "x")).toContain("--nats-bucket needs --nats");
    expect(await refused("--nats", "http://x")).toContain(
      'such as nats://host:4222, got "http://x"',
    );
    expect(await refused("--nats", "nats://u:p@x")).toContain("must hold no user or password");
    expect(await refused("--nats", "x", "--nats-bucket", "a b")).toContain('got "a b"');
    expect(await refused("--host-name", " ")).toContain("1 to 256 characters");
  });

  test("such as credentials that others may read, or that are none", async () => {
    const place = new Place();
    const file = join(place.folder, "creds");
    const serve = () => place.run(["serve", "--port", "0", "--nats", "x", "--nats-creds", file]);
    expect((await serve()).stderr).toContain("there is no such file");
    writeFileSync(file, "SUNOSEED", { mode: 0o644 });
    expect((await serve()).stderr).toContain(`chmod 600 ${file}`);
    writeFileSync(join(place.folder, "own"), "SUNOSEED", { mode: 0o600 });
    const own = join(place.folder, "own");
    const { code, stderr } = await place.run([
      ...["serve", "--port", "0", "--nats", "x", "--nats-creds", own],
    ]);
    expect(stderr).toContain("must hold NATS credentials");
    expect(code).toBe(1);
  });
});
