/** tmux cannot be used here; the message says in words for people why, and what to do. */
export class TmuxUnavailable extends Error {
  override readonly name = "TmuxUnavailable";
}
