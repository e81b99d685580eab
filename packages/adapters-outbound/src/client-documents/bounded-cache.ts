// The entries that were used last. A Map iterates in the order of insertion, so that its first entry is the one that was
// not used for longest.

/** The maximum of entries, and of their sizes in bytes. */
export type CacheBounds = { readonly entries: number; readonly bytes: number }

export type BoundedCache<Value> = {
  readonly get: (key: string) => Value | undefined
  /** An entry that exceeds the bounds alone is not stored. */
  readonly set: (key: string, value: Value, bytes: number) => void
}

export const createBoundedCache = <Value>(bounds: CacheBounds): BoundedCache<Value> => {
  const entries = new Map<string, { readonly value: Value; readonly bytes: number }>()
  let total = 0
  const remove = (key: string): void => {
    total -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  return {
    get: (key) => {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set: (key, value, bytes) => {
      remove(key)
      entries.set(key, { value, bytes })
      total += bytes
      for (const oldest of entries.keys()) {
        if (entries.size <= bounds.entries && total <= bounds.bytes) return
        remove(oldest)
      }
    },
  }
}
