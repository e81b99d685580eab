/** The times of the key rotation, in whole seconds. */
export type KeyPolicy = {
  /** The time for which a key signs before its successor does. */
  readonly lifetime: number
  /** The time for which a key is published before it signs: at least twice maxAge. */
  readonly publishAhead: number
  /** The time for which a key is published after its last signature, and the maximum lifetime of a signature. */
  readonly retention: number
  /** The maximum time for which a verifier may cache the set. */
  readonly maxAge: number
}
