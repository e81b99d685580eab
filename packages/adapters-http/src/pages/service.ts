/** Whose pages these are, by the operator's settings. */
export type Service = {
  readonly name: string
  /** A picture as a data: URI. */
  readonly logo?: string | undefined
  /** #rrggbb: the colour of buttons and links. */
  readonly color?: string | undefined
  /** The address to which pages lead that have nothing more to ask. */
  readonly url: string
}
