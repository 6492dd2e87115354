import { type Find, leads, subcommands } from "./leads.ts";

/** mise names tools up to `--`, and the program behind it. */
const behindDashes: Find = (words, from) => {
  const at = words.indexOf("--", from) + 1;
  return at > 0 && at < words.length ? at : undefined;
};

/** Commands that run the program which their arguments name. As of the manual pages of coreutils 9, util-linux 2.41,
 * sudo 1.9, GNU time 1.9, of mise 2025 and direnv 2.37, and of caffeinate(8) on macOS. */
export const PREFIXES: Readonly<Record<string, Find>> = {
  env: leads(
    `- -i --ignore-environment -0 --null -v --debug --default-signal --ignore-signal --block-signal
     --list-signal-handling -u: --unset: -C: --chdir: -a: --argv0: -P: -S! --split-string!`,
    { assignments: true },
  ),
  sudo: leads(
    `-A --askpass -B --bell -b --background -E --preserve-env -H --set-home -i --login
     -k --reset-timestamp -N --no-update -n --non-interactive -P --preserve-groups -S --stdin
     -s --shell -a: --auth-type: -C: --close-from: -c: --login-class: -D: --chdir: -g: --group:
     -h: --host: -p: --prompt: -R: --chroot: -r: --role: -T: --command-timeout: -t: --type:
     -U: --other-user: -u: --user: -e! --edit! -K! --remove-timestamp! -l! --list! -v! --validate!
     -V! --version! --help!`,
    { assignments: true },
  ),
  doas: leads("-n -s -a: -u: -C! -L!"),
  timeout: leads(
    "-f --foreground -p --preserve-status -v --verbose -k: --kill-after: -s: --signal:",
    { operands: 1 },
  ),
  nice: leads("-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -n: --adjustment:"),
  ionice: leads("-t --ignore -c: --class: -n: --classdata: -p! --pid! -P! --pgid! -u! --uid!"),
  nohup: leads("--help! --version!"),
  setsid: leads("-c --ctty -f --fork -w --wait"),
  stdbuf: leads("-i: --input: -o: --output: -e: --error:"),
  time: leads(
    "-a --append -h -l -p --portability -q --quiet -v --verbose -f: --format: -o: --output:",
  ),
  chrt: leads(
    `-b --batch -d --deadline -e --ext -f --fifo -i --idle -o --other -r --rr -R --reset-on-fork
     -v --verbose -T: --sched-runtime: -P: --sched-period: -D: --sched-deadline: -m! --max!
     -p! --pid!`,
    { operands: 1 },
  ),
  taskset: leads("-a --all-tasks -c --cpu-list -p! --pid!", { operands: 1 }),
  caffeinate: leads("-d -i -m -s -u -t: -w:"),
  command: leads("-p -v! -V!"),
  exec: leads("-c -l -a:"),
  mise: subcommands("-q --quiet -v --verbose -y --yes -C: --cd: -E: --env: -j: --jobs:", {
    exec: behindDashes,
    x: behindDashes,
  }),
  asdf: subcommands("", { exec: leads("") }),
  direnv: subcommands("", { exec: leads("", { operands: 1 }) }),
};
