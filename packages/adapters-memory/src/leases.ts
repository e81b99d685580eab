import * as E from 'fp-ts/lib/Either.js'
import type { EpochSeconds, Lease, Leases } from '@clientele/domain'
import { forget, type State } from './state.js'
import { step } from './step.js'

const acquire = ({ leases }: State, lease: Lease, at: EpochSeconds): boolean => {
  const current = leases.get(lease.name)
  forget(leases, ({ until }) => until <= at)
  if (current !== undefined && current.holder !== lease.holder && current.until > at) return false
  leases.set(lease.name, lease)
  return true
}

export const inMemoryLeases = (state: State): Leases => ({
  acquireLease: (lease, at) => step(() => E.right(acquire(state, lease, at))),
  releaseLease: (name, holder) =>
    step(() => {
      if (state.leases.get(name)?.holder === holder) state.leases.delete(name)
      return E.right(undefined)
    }),
})
