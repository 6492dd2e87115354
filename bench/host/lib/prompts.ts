import type { Command } from "./systems.ts";

/** Floods when Enter is pressed; an interrupt ends that, and brings a prompt with the next number. */
export const PROMPT_PROGRAM: Command = [
  "bash",
  "-c",
  `trap 'n=$((n+1)); printf "\\r\\nprompt-%s> " $n' INT; while read -r _; do yes 'a line of a flood that somebody interrupts'; done`,
];

/** What is shown after so many interrupts. */
export const promptOf = (interrupts: number) => `prompt-${interrupts}>`;
