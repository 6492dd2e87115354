/** A program cannot be confined as it was asked for, so it is not run. The message says in words for people why, and what
 * to do. */
export class SandboxRefusal extends Error {
  override readonly name = "SandboxRefusal";
}
