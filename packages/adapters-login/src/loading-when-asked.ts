// What a provider says of itself, which is asked for again from time to time.
import type { EpochSeconds } from '@clientele/domain/kernel'

/** Seconds in which the metadata of a provider is used without a request. */
const currentFor = 3_600
/** Seconds in which it is used while the provider cannot be reached. */
const usableFor = 86_400
/** Seconds without a request after one that failed. */
const pauseAfterFailure = 5

/** A time that is later than the present is of a clock that was set back since. */
const isWithin = (seconds: number, { at }: { readonly at: number }, present: number): boolean =>
  at <= present && present < at + seconds

/** Loads a value when it is asked for: one request at a time, however many ask. */
export const loadingWhenAsked = <A>(load: () => Promise<A>, now: () => EpochSeconds): (() => Promise<A>) => {
  let loaded: { readonly value: A; readonly at: number } | undefined
  let failed: { readonly error: unknown; readonly at: number } | undefined
  let loading: Promise<A> | undefined
  const start = async (): Promise<A> => {
    try {
      const value = await load()
      loaded = { value, at: now() }
      failed = undefined
      return value
    } catch (error) {
      failed = { error, at: now() }
      throw error
    } finally {
      loading = undefined
    }
  }
  return async () => {
    if (loaded !== undefined && isWithin(currentFor, loaded, now())) return loaded.value
    try {
      if (failed !== undefined && isWithin(pauseAfterFailure, failed, now())) throw failed.error
      return await (loading ??= start())
    } catch (error) {
      if (loaded === undefined || now() >= loaded.at + usableFor) throw error
      return loaded.value
    }
  }
}
