import type { TerminalInfo } from "../../../src/contract/terminals.ts";
import { randomFrom } from "./random.ts";

const COMMANDS = [
  ["zsh"],
  ["vim", "src/server/connection.ts"],
  ["claude", "--continue"],
  ["npm", "run", "dev"],
  ["htop"],
  ["ssh", "build-7"],
];

const WORDS = "api billing cache deploy edge fonts grid hooks index jobs ledger mail nodes".split(
  " ",
);

/** The terminals of a made-up host, each about 400 bytes as text. No two have the same paths, times and numbers, so that they do
 * not compress better than real ones. */
export function madeUpRows(instance: string, count: number, seed: number): TerminalInfo[] {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const word = () => WORDS[below(WORDS.length)] ?? "";
  const server = `${1_000 + below(60_000)}.${1_700_000_000 + below(50_000_000)}`;
  return Array.from({ length: count }, (_, index) => ({
    instance,
    id: `tmux:default@${server}/${index}`,
    state: "running",
    command: COMMANDS[below(COMMANDS.length)] ?? [],
    cwd: `/home/${word()}/${word()}/${word()}-${below(100)}`,
    pid: 1_000 + below(4_000_000),
    started_at: 1_700_000_000_000 + below(1_000_000_000),
    start_tick: String(below(1_000_000_000)),
    tty: `/dev/pts/${index}`,
    name: `${word()}:${index}.0`,
    title: `${word()} ${word()} ${below(1_000)}`,
    cols: 80 + below(140),
    rows: 24 + below(40),
    activity_at: 1_700_000_000_000 + below(10_000) * 60_000,
  }));
}
