// Random histories of clients in time.
import * as fc from 'fast-check'

export type StateStep =
  | { readonly kind: 'register'; readonly open: boolean; readonly print: string }
  | { readonly kind: 'use' | 'suspend' | 'resume' | 'remove'; readonly nth: number }
  | { readonly kind: 'pass'; readonly days: number }
  | { readonly kind: 'sweep' | 'sweep twice at once' }

// Of the clients there are, counted round.
const nth = fc.nat(5)
// Hours as well: a use is known to the day.
const days = fc.constantFrom(0.3, 1, 6, 7, 23, 30, 89, 90)
export const prints = ['one', 'two', 'three', 'four']

const registration = fc.record({
  kind: fc.constant('register' as const),
  open: fc.boolean(),
  print: fc.constantFrom(...prints),
})
const change = fc.record({ kind: fc.constantFrom('use' as const, 'suspend' as const, 'resume' as const), nth })

export const anyStateHistory = (): fc.Arbitrary<ReadonlyArray<StateStep>> =>
  fc.array(
    fc.oneof(
      { weight: 3, arbitrary: registration },
      { weight: 3, arbitrary: change },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), nth }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), days }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('sweep' as const, 'sweep twice at once' as const) }) },
    ),
    { minLength: 1, maxLength: 30, size: 'max' },
  )
