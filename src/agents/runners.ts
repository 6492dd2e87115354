import { type Find, leads, subcommands } from "./leads.ts";

const NPM = `
  -y --yes -q --quiet -s --silent -d --verbose -g --global --no --no-install --offline
  --prefer-online --prefer-offline --workspaces -c! --call! -p: --package: -w: --workspace:
  --prefix: --registry: --userconfig: --cache: --loglevel:`;
const npx = leads(NPM);
const npm = subcommands(NPM, { exec: npx, x: npx });

const PNPM = "-s --silent -r --recursive -w --workspace-root -c! --shell-mode!";
const pnpmExec = leads(`${PNPM} --package: --allow-build: --reporter:`);

const yarnExec = leads("-q --quiet -p: --package:");

const bunx = leads("-b --bun --silent --verbose --no-install -p: --package:");

/** Commands that run what is named as a package or as a program of one. As of npm 11 (whose commands are also seen
 * by the names of their scripts), pnpm 10, yarn 4 and bun 1.3. */
export const PACKAGE_RUNNERS: Readonly<Record<string, Find>> = {
  npx,
  "npx-cli": npx,
  npm,
  "npm-cli": npm,
  pnpx: pnpmExec,
  pnpm: subcommands(`${PNPM} -C: --dir: -F: --filter:`, { dlx: pnpmExec, exec: pnpmExec }),
  yarn: subcommands("--cwd:", { dlx: yarnExec, exec: yarnExec }),
  bunx,
  // Otherwise it runs scripts.
  bun: subcommands("-b --bun --silent", { x: bunx }),
};
