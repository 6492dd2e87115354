/** The files of the two packages that Node and the bundler both read as modules: the packages' own entries name a file
 * that is not there, or one whose exports Node cannot see. */
declare module "@xterm/headless/lib-headless/xterm-headless.mjs" {
  export { Terminal } from "@xterm/headless";
}

declare module "@xterm/addon-unicode11/lib/addon-unicode11.mjs" {
  export { Unicode11Addon } from "@xterm/addon-unicode11";
}
