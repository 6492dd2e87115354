/** The code of a system error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is no folder",
  EEXIST: "a file is in its place",
  EISDIR: "it is a folder",
  ENOSPC: "no space is left",
};

/** Why the system refused, in words. */
export function reasonOf(error: unknown): string {
  return (
    REASONS[errorCode(error) ?? ""] ?? (error instanceof Error ? error.message : String(error))
  );
}
