import type { CaptureInput } from "../terminal.ts";
import { withoutLineDrawing, withoutSequences } from "./drawn.ts";
import type { Pane } from "./pane.ts";

/** More lines of history than tmux can keep are all of them. */
const MOST_LINES = 2_147_483_647;

/** What a pane shows, as text. A mode that somebody looks at it in is not in it. */
export async function capturePane(
  pane: Pane,
  { scrollback = 0, escapes = false, joinWrapped = false }: CaptureInput,
): Promise<string> {
  // With its sequences always: without them characters of line drawing would come as the letters that stand for them.
  const options = ["-p", "-e", ...(joinWrapped ? ["-J"] : [])];
  const from = scrollback > 0 ? ["-S", `-${Math.min(scrollback, MOST_LINES)}`] : [];
  const command = ["capture-pane", ...options, ...from, "-t", pane.target].join(" ");
  const captured = await pane.run({ need: "there", commands: [command] });
  const drawn = withoutLineDrawing(captured.toString("utf8"));
  const lines = (escapes ? drawn : withoutSequences(drawn)).split("\n");
  // tmux keeps the spaces at the end of lines that it joins.
  return lines
    .map((line) => line.replace(/ +$/, ""))
    .join("\n")
    .replace(/\n+$/, "");
}
