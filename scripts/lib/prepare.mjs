import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isBuilt } from "./built.mjs";
import { root, run } from "./run.mjs";

/** Debian's packages for the programs that tests run for real. */
const DEBIAN_PACKAGES = {
  tmux: "tmux",
  ps: "procps",
  unshare: "util-linux",
  prlimit: "util-linux",
  script: "bsdutils",
  sudo: "sudo",
  zsh: "zsh",
  screen: "screen",
  vim: "vim",
  less: "less",
  htop: "htop",
  bwrap: "bubblewrap",
  "nats-server": "nats-server",
  openssl: "openssl",
  // With letters to draw.
  chromium: "chromium fonts-dejavu-core",
};

/** The programs that the tests run beside those that every system has. */
export const TEST_PROGRAMS = Object.keys(DEBIAN_PACKAGES);

/** Installs the development dependencies unless those of the lock file are there. npm writes its own list of
 * them last, so an installation that broke off is begun again. */
export async function ensureDependencies() {
  const installed = join(root, "node_modules/.package-lock.json");
  const lock = join(root, "package-lock.json");
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  await run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"]);
}

/** Builds unless the last build was made of the very same files. */
export async function ensureBuild() {
  if (!isBuilt()) await run(process.execPath, ["scripts/build.mjs"]);
}

/** Makes the programs available that tests run: on Debian as root it installs what is missing, elsewhere
 * it names it. */
export async function ensurePrograms(names) {
  const missing = names.filter((name) => !onPath(name));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.flatMap((name) => DEBIAN_PACKAGES[name].split(" ")))];
  if (!isDebian() || process.getuid?.() !== 0) {
    throw new Error(
      `The tests run these programs, which are not installed: ${missing.join(", ")}. Install them and run the tests again.`,
    );
  }
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-qq"], { env });
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], { env });
}

const onPath = (name) =>
  (process.env.PATH ?? "")
    .split(":")
    .some((folder) => folder !== "" && existsSync(join(folder, name)));

function isDebian() {
  try {
    return /^ID(_LIKE)?=.*debian/m.test(readFileSync("/etc/os-release", "utf8"));
  } catch {
    return false;
  }
}
