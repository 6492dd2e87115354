import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NatsServer } from "../../lib/nats/server.ts";
import { Place } from "../support.ts";

/** The user of a host, as it prints it. */
async function userOf(place: Place): Promise<string> {
  const { code, stdout } = await place.run(["nats-config", "user"]);
  expect(code).toBe(0);
  return stdout.trim();
}

test("a host makes its key once, keeps it to itself, and prints the public part", async () => {
  const place = new Place();
  const user = await userOf(place);
  expect(user).toMatch(/^[0-9a-f]{32}:U[A-Z2-7]{55}$/);
  expect(await userOf(place)).toBe(user);
  const seed = join(place.state, "nats.nk");
  expect(statSync(seed).mode & 0o777).toBe(0o600);
  expect(readFileSync(seed, "utf8")).toMatch(/^SU[A-Z2-7]+\n$/);
  const { stdout, stderr } = await place.run(["nats-config"]);
  expect(stdout).toContain(`nkey: ${user.split(":")[1]}`);
  expect(stdout + stderr).not.toContain(readFileSync(seed, "utf8").trim());
});

test("hosts with their keys share their terminals over a server with the printed configuration", async () => {
  const [atlas, borea] = [new Place(), new Place()];
  const file = join(atlas.folder, "nats.conf");
  const { stdout, code } = await atlas.run([
    ...["nats-config", "--user", await userOf(borea), "--nats-bucket", "shared"],
    ...["--store", join(atlas.folder, "store")],
  ]);
  expect(code).toBe(0);
  writeFileSync(file, stdout);
  execFileSync("nats-server", ["-t", "-c", file], { stdio: "pipe" });
  const config = stdout.slice(stdout.indexOf("authorization {"));
  const server = await NatsServer.start({ config });
  try {
    for (const [place, name] of [
      [atlas, "atlas"],
      [borea, "borea"],
    ] as const) {
      place.session(name);
      const creds = ["--nats-creds", join(place.state, "nats.nk"), "--nats-bucket", "shared"];
      const { program } = await place.serve([
        ...["--nats", server.url, "--host-name", name, "--log-level", "info", ...creds],
      ]);
      await program.until(() => program.stderr.includes("shares its") || undefined);
    }
    const listed = (await atlas.run(["ls"])).stdout;
    expect(listed).toContain("atlas:0.0");
    expect(listed).toContain("borea:0.0");
  } finally {
    await server.end();
  }
});

test("what cannot be meant is refused in words", async () => {
  const place = new Place();
  const user = await userOf(place);
  const refusal = async (...args: string[]) => {
    const { code, stdout, stderr } = await place.run(["nats-config", ...args]);
    expect([code, stdout]).toEqual([2, ""]);
    return stderr;
  };
  expect(await refusal("--user", "x")).toContain('got "x"');
  expect(await refusal("--dashboard", `${user}x`)).toContain("nats-config user");
  expect(await refusal("--user", user, "--dashboard", user)).toContain("named twice");
  expect(await refusal("--tls-cert", "/x")).toContain("belong together");
  expect(await refusal("--nats-bucket", "a b")).toContain('got "a b"');
  writeFileSync(join(place.state, "nats.nk"), "no seed\n");
  const { code, stderr } = await place.run(["nats-config", "user"]);
  expect(code).toBe(1);
  expect(stderr).toContain("must hold the nkey seed of a user");
});
