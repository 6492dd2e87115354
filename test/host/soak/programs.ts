import type { Random } from "./random.ts";

/** What runs in a terminal: shell scripts, each for something that hosts have come to grief over. */
const SCRIPTS = [
  "cat",
  "echo ready; read line; echo over",
  "seq 1 5000; exit 3",
  "printf 'last words'",
  // A flood, and one that somebody has to end.
  "yes 'a line of some words, again and again' | head -c 4000000; read line",
  "yes 'without end' & while :; do sleep 1; done",
  "head -c 300000 /dev/urandom; read line",
  "head -c 3000000 /dev/zero | tr '\\0' x; read line",
  // Titles, bells, questions, both screens.
  "i=0; while [ $i -lt 300 ]; do printf '\\033]2;title %s\\007\\007\\033[c\\033[6n' $i; i=$((i+1)); done; cat",
  "printf '\\033[?1049h\\033[?25l'; i=0; while :; do printf '\\033[%d;%dH\\033[3%dm#' $((i%24+1)) $((i%80+1)) $((i%8)); i=$((i+1)); sleep 0.02; done",
  "printf '\\033[?2026h\\033]8;;http://open'; cat",
  "trap 'stty size' WINCH; echo ready; while :; do sleep 0.05; done",
  // What does not end by itself, or not here.
  "trap '' HUP TERM; echo deaf; while :; do sleep 0.2; done",
  "setsid sleep 1000 & nohup sleep 1000 >/dev/null 2>&1 & cat",
  "sh -c 'kill -STOP $$; sleep 1000' & cat",
  "trap '' HUP; sleep 1000 & exit 0",
  "kill -SEGV $$",
  // One that never reads.
  "stty raw -echo; exec sleep 1000",
] as const;

/** How a terminal is opened: a program, or the user's shell at which a command is typed. */
export function someProgram(random: Random): { exec: string[] } | { command: string } | object {
  switch (random.below(8)) {
    case 0:
      return {};
    case 1:
      return { command: random.one(["sleep 1000", "seq 1 2000", "exit 4", "cat & wait"]) };
    default:
      return { exec: ["/bin/sh", "-c", random.one(SCRIPTS)] };
  }
}
