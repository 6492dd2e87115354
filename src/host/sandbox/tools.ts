import { existsSync } from "node:fs";
import { findProgram } from "../../sources/programs.ts";
import { SandboxRefusal } from "./refusal.ts";

/** Which package has which program. */
const PACKAGES = {
  bwrap: "bubblewrap",
  env: "coreutils",
  stat: "coreutils",
  readlink: "coreutils",
  nsenter: "util-linux",
  setpriv: "util-linux",
  perl: "perl",
} as const;

/** Absolute paths of the programs that a sandbox is made with. */
export interface Tools extends Readonly<Record<Exclude<keyof typeof PACKAGES, "perl">, string>> {
  /** Only who is not root needs it to enter a sandbox. */
  readonly perl?: string;
}

/** Finds them. Rejects with a SandboxRefusal that says what to install. */
export async function sandboxTools(path: string | undefined): Promise<Tools> {
  if (process.platform !== "linux") {
    throw new SandboxRefusal("programs can be confined on Linux only; leave sandbox_profile out");
  }
  if (!existsSync(`/proc/self/task/${process.pid}/children`)) {
    throw new SandboxRefusal(
      "no program can be confined here: the kernel does not list the children of a process, which takes CONFIG_PROC_CHILDREN and /proc",
    );
  }
  const find = async (name: keyof typeof PACKAGES): Promise<string> => {
    const found = await findProgram(name, path);
    if (found !== undefined) return found;
    throw new SandboxRefusal(
      `no program can be confined here without ${name}: install the package ${PACKAGES[name]}`,
    );
  };
  return {
    bwrap: await find("bwrap"),
    env: await find("env"),
    stat: await find("stat"),
    readlink: await find("readlink"),
    nsenter: await find("nsenter"),
    setpriv: await find("setpriv"),
    ...(process.getuid?.() === 0 ? {} : { perl: await find("perl") }),
  };
}
