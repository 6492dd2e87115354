import { randomBytes } from "node:crypto";
import { link, open, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "./reason.ts";

/** Writes a file that readers see whole or not at all, in place of one that may be there. */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const draft = await writeDraft(path, text, mode, false);
  try {
    await rename(draft, path);
  } catch (error) {
    await unlink(draft);
    throw error;
  }
}

/** The same, but only where there is no such file; answers whether there was none. Of several that try at
 * once, one succeeds: link(2) never replaces. `keep` says that it must outlive a crash of the system. */
export async function createFile(
  path: string,
  text: string,
  { mode, keep }: { readonly mode: number; readonly keep: boolean },
): Promise<boolean> {
  const draft = await writeDraft(path, text, mode, keep);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

async function writeDraft(
  path: string,
  text: string,
  mode: number,
  keep: boolean,
): Promise<string> {
  const draft = join(dirname(path), `.${basename(path)}-${randomBytes(6).toString("hex")}`);
  const file = await open(draft, "wx", mode);
  try {
    await file.writeFile(text);
    if (keep) await file.sync();
  } catch (error) {
    await unlink(draft);
    throw error;
  } finally {
    await file.close();
  }
  return draft;
}
