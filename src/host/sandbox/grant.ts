import { realpath, stat } from "node:fs/promises";
import { reasonOf } from "../../files/reason.ts";
import { isWithin } from "../../files/within.ts";
import { SandboxRefusal } from "./refusal.ts";

/** What may be written in a sandbox. */
export interface Grant {
  /** Without symbolic links. */
  readonly path: string;
  /** Its device and number, as `stat -c %d:%i` prints them: what another file of that path does not have. */
  readonly identity: string;
}

/** Folders of the kernel, in which to write may mean to command it, or another program. */
const KERNELS = ["/proc", "/sys", "/dev"];

/** Looks where a path really is. Rejects with a SandboxRefusal where it is not there, is neither file nor folder, or is
 * something that no sandbox can hand out: everything, what is the kernel's, and what is within the `guarded` folders. */
export async function grantOf(path: string, guarded: readonly string[]): Promise<Grant> {
  const refuse = (why: string): never => {
    throw new SandboxRefusal(`${JSON.stringify(path)} cannot be made writable: ${why}`);
  };
  const real = await realpath(path).catch((error: unknown) => refuse(reasonOf(error)));
  const is = real === path ? "it is" : `it is ${real},`;
  if (real === "/") refuse(`${is} everything, so nothing would be confined`);
  const kernels = KERNELS.find((folder) => isWithin(folder, real));
  if (kernels !== undefined) refuse(`${is} within ${kernels}, which is the kernel's`);
  const others = guarded.find((folder) => isWithin(folder, real));
  if (others !== undefined) {
    refuse(`${is} within ${others}, through which other terminals can be reached`);
  }
  const found = await stat(real, { bigint: true }).catch((error: unknown) =>
    refuse(reasonOf(error)),
  );
  if (!found.isDirectory() && !found.isFile()) refuse("it is neither a file nor a folder");
  return { path: real, identity: `${found.dev}:${found.ino}` };
}
