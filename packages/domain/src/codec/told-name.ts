// So that an answer stays small, no more of a name that a client made up is told.
const maxLength = 80

/** The beginning of a name; a cut in the middle of a character would leave half of it, which readers refuse. */
export const toldName = (name: string): string => {
  const cut = name.slice(0, maxLength)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
