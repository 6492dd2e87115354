import { constants } from "node:fs";
import { open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../../files/reason.ts";
import { requirePrivateFolder } from "../../../files/unix-path.ts";
import { replaceFile } from "../../../files/whole-file.ts";

/** The longest file that is read, in bytes: 32 monitors with the longest commands and 1 024 events take a third of it. */
const MAX_BYTES = 16 * 1024 * 1024;

/** No link is followed, and a pipe without a writer holds nobody up. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Ids of sessions that outlive a host: they name files. */
const ID = /^terminal-t-[0-9a-f]{32}$/;
export const isDurableId = (id: string): boolean => ID.test(id);

/** What is written down of the sessions that outlive a host: a file for each, for this user alone. */
export class RecordStore {
  readonly #folder: string;
  #made: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** All of them by their ids; one that cannot be read is undefined. None where nothing was ever written down. Rejects where
   * that cannot be told. */
  async all(): Promise<Map<string, string | undefined>> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    });
    if (names.length > 0) await this.#make();
    const found = new Map<string, string | undefined>();
    for (const name of names) {
      const id = name.replace(/\.json$/, "");
      if (name === `${id}.json` && isDurableId(id)) found.set(id, await this.#read(id));
      // A draft of a host that was killed while it wrote.
      else if (name.startsWith(".terminal-t-")) await this.#unlink(name);
    }
    return found;
  }

  /** Puts it in place whole. */
  async write(id: string, text: string): Promise<void> {
    await this.#make();
    await replaceFile(this.#path(id), text, 0o600);
  }

  remove(id: string): Promise<void> {
    return this.#unlink(`${id}.json`);
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  /** A folder that others may write in would have us believe anything. */
  #make(): Promise<void> {
    this.#made ??= requirePrivateFolder(this.#folder).catch((error: unknown) => {
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }

  async #read(id: string): Promise<string | undefined> {
    const file = await open(this.#path(id), FLAGS).catch(() => undefined);
    if (file === undefined) return undefined;
    try {
      const stat = await file.stat();
      return stat.isFile() && stat.size <= MAX_BYTES ? await file.readFile("utf8") : undefined;
    } catch {
      return undefined;
    } finally {
      await file.close();
    }
  }

  async #unlink(name: string): Promise<void> {
    await unlink(join(this.#folder, name)).catch((error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
    });
  }
}
