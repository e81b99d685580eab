// Random histories of clients in time, of about a year.
import { type LifeCyclePolicy, defaultLifeCycle, useUnit } from '@clientele/domain/life-cycle'
import * as fc from 'fast-check'

/**
 * Who sees uses: the authorization server of the service, a login system beside it that reports them, or nobody, because
 * the provider beside it only reads clients.
 */
export type Seeing = 'engine' | 'reports' | 'nobody'

export type StateStep =
  | { readonly kind: 'register'; readonly open: boolean; readonly print: string }
  | { readonly kind: 'import'; readonly open: boolean; readonly days: number; readonly replacing: number | undefined }
  | { readonly kind: 'use' | 'suspend' | 'resume' | 'remove' | 'restore'; readonly nth: number }
  /** The service runs, and each day one client may be used. */
  | { readonly kind: 'run'; readonly days: number; readonly nth: number | undefined }
  /** The service is down, or its clock jumps. */
  | { readonly kind: 'pass'; readonly days: number }
  | { readonly kind: 'sweep' | 'sweep twice at once' }
  /** A restart with other settings. */
  | { readonly kind: 'restart'; readonly seeing: Seeing; readonly policy: LifeCyclePolicy }

// Of the clients there are, counted round.
const nth = fc.nat(5)
export const prints = ['one', 'two', 'three', 'four']

const registration = fc.record({
  kind: fc.constant('register' as const),
  open: fc.boolean(),
  print: fc.constantFrom(...prints),
})
const brought = fc.record({
  kind: fc.constant('import' as const),
  open: fc.boolean(),
  days: fc.constantFrom(0, 40, 400),
  replacing: fc.option(nth, { nil: undefined }),
})
const change = fc.record({ kind: fc.constantFrom('use' as const, 'suspend' as const, 'resume' as const), nth })
const running = fc.record({
  kind: fc.constant('run' as const),
  days: fc.integer({ min: 1, max: 35 }),
  nth: fc.option(nth, { nil: undefined }),
})
// Hours as well: a use is known to the day.
const passing = fc.record({ kind: fc.constant('pass' as const), days: fc.constantFrom(0.3, 1, 7, 30, 89) })

const withWaits = (parkedAfter: number, removedAfter: number): LifeCyclePolicy => ({
  ...defaultLifeCycle,
  unusedOpenParkedAfter: parkedAfter * useUnit,
  unusedOpenRemovedAfter: removedAfter * useUnit,
})
const policies = [withWaits(7, 30), withWaits(7, 8), withWaits(1 / 24, 2 / 24), withWaits(20, 60)]

const restart = fc.record({
  kind: fc.constant('restart' as const),
  seeing: fc.constantFrom<Seeing>('engine', 'reports', 'nobody'),
  policy: fc.constantFrom(...policies),
})

export const anyStateHistory = (): fc.Arbitrary<ReadonlyArray<StateStep>> =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: registration },
      { weight: 2, arbitrary: brought },
      { weight: 3, arbitrary: change },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), nth }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('restore' as const), nth }) },
      { weight: 5, arbitrary: running },
      { weight: 1, arbitrary: passing },
      { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('sweep' as const, 'sweep twice at once' as const) }) },
      { weight: 2, arbitrary: restart },
    ),
    { minLength: 20, maxLength: 60, size: 'max' },
  )
