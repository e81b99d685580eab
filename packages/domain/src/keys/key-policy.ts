/** How keys roll over; all in whole seconds. */
export type KeyPolicy = {
  /** How long a key signs before its successor does. */
  readonly lifetime: number
  /** How long a key is published before it signs: at least twice maxAge. */
  readonly publishAhead: number
  /** How long a key is published after it last signed, and the longest that a signature is good for. */
  readonly retention: number
  /** The longest that a verifier may keep the set. */
  readonly maxAge: number
}
