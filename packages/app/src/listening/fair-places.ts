/** A limited number of places that sources share. */
export type Places = {
  /** Whether the source gets a place; a source without a name is limited by the total only. */
  readonly take: (source: string | undefined) => boolean
  readonly leave: (source: string | undefined) => void
}

/**
 * A source gets a place while it has fewer than are free: one source alone takes half of them at most, two a third
 * each. So a source without a place finds one, unless as many sources as there are places have taken them.
 */
export const createPlaces = (most: number): Places => {
  const taken = { all: 0, by: new Map<string, number>() }
  const takenBy = (source: string | undefined): number => (source === undefined ? 0 : (taken.by.get(source) ?? 0))
  const forgetIdle = (): void => {
    for (const [source, own] of taken.by) if (own === 0) taken.by.delete(source)
  }
  // Sources without places are removed only when there are many: V8 makes a new table for a Map when its last entry is
  // removed, which would happen with nearly each request, and an old table retains all later ones in the heap.
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
