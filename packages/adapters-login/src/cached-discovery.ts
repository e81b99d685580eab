import type { EpochSeconds } from '@clientele/domain/kernel'

/** Seconds in which the metadata of a provider is used without a request. */
const currentFor = 3_600
/** Seconds in which it is used while the provider cannot be reached. */
const usableFor = 86_400
/** Seconds without a request after one that failed. */
const pauseAfterFailure = 5

type Loaded<A> = { readonly value: A; readonly at: number }
type Known<A> = {
  loaded?: Loaded<A>
  failed?: { readonly error: unknown; readonly at: number }
  loading?: Promise<A>
}

/** Loads a value when it is asked for: one request at a time, however many ask. */
export const createCachedDiscovery = <A>(load: () => Promise<A>, now: () => EpochSeconds): (() => Promise<A>) => {
  const known: Known<A> = {}
  const usable = (seconds: number): Loaded<A> | undefined =>
    known.loaded !== undefined && now() < known.loaded.at + seconds ? known.loaded : undefined
  const start = async (): Promise<A> => {
    try {
      const value = await load()
      known.loaded = { value, at: now() }
      delete known.failed
      return value
    } catch (error) {
      known.failed = { error, at: now() }
      throw error
    } finally {
      delete known.loading
    }
  }
  const attempt = async (): Promise<A> => {
    if (known.failed !== undefined && now() < known.failed.at + pauseAfterFailure) throw known.failed.error
    known.loading ??= start()
    return known.loading
  }
  return async () => {
    const current = usable(currentFor)
    if (current !== undefined) return current.value
    try {
      return await attempt()
    } catch (error) {
      const earlier = usable(usableFor)
      if (earlier === undefined) throw error
      return earlier.value
    }
  }
}
