// The maximum length of a reported name that the client chose, to limit the size of an answer.
const maxLength = 80

/** The beginning of a name. A cut never splits a surrogate pair, because readers refuse half of one. */
export const reportedName = (name: string): string => {
  const cut = name.slice(0, maxLength)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
