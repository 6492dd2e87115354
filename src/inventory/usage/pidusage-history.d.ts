/** What pidusage remembers of processes from one call to the next. Its own types leave the module out. */
declare module "pidusage/lib/history.js" {
  interface History {
    /** `fd` is a descriptor of `/proc/<pid>/stat` that is read in place of one that it would open itself. */
    set(pid: number, entry: { readonly fd: number }, maxAgeMs: number): void;
  }
  const history: History;
  export = history;
}
