/** So many places in all, which sources share. */
export type Places = {
  /** Whether the source gets a place; one without a name is bounded by the number in all alone. */
  readonly take: (source: string | undefined) => boolean
  readonly leave: (source: string | undefined) => void
}

/**
 * A source gets a place while it has fewer than are free: one alone takes half of them at most, two a third each. So a source
 * that has none finds one, unless as many sources as there are places have taken them.
 */
export const createPlaces = (most: number): Places => {
  const taken = { all: 0, by: new Map<string, number>() }
  const takenBy = (source: string | undefined): number => (source === undefined ? 0 : (taken.by.get(source) ?? 0))
  const forgetIdle = (): void => {
    for (const [source, own] of taken.by) if (own === 0) taken.by.delete(source)
  }
  // A source without places is forgotten only when there are many: V8 makes the table of a Map anew when its last entry goes, as it
  // would with nearly each request, and an old table keeps all later ones in the heap.
  const count = (source: string | undefined, own: number): void => {
    if (source === undefined) return
    if (taken.by.size >= 2 * most && !taken.by.has(source)) forgetIdle()
    taken.by.set(source, own)
  }
  return {
    take: (source) => {
      const own = takenBy(source)
      if (own >= most - taken.all) return false
      taken.all += 1
      count(source, own + 1)
      return true
    },
    leave: (source) => {
      taken.all -= 1
      count(source, takenBy(source) - 1)
    },
  }
}
