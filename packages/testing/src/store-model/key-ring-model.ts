import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { secondsAfter } from '@clientele/domain/kernel'
import type { KeyRingChange } from '@clientele/domain/ports'
import { done } from '../contracts/contract.js'
import { replaceRings } from '../contracts/steps.js'
import { exampleKeyRing } from '../examples.js'
import { type Seen, type Step, type StoreModel, ago, sorted, steps, time } from './explain.js'

const algorithms = ['ES256', 'EdDSA', 'RS256']

const changeOf = ({ keyRings }: Seen, back: number, kid: string) => {
  const read = keyRings.at(-back) ?? []
  return (alg: string): KeyRingChange => {
    const ring = read.find((each) => each.alg === alg)
    if (ring === undefined) return { next: { ...exampleKeyRing(alg), forgotten: [kid] }, replacing: O.none }
    return { next: { ...ring, version: ring.version + 1, forgotten: [kid] }, replacing: O.some(ring) }
  }
}

const ringStep = steps(
  'replace the rings that were read so many reads ago, without the key',
  [fc.shuffledSubarray(algorithms, { minLength: 1 }), ago, fc.nat(99).map(String)],
  ({ keyRings }, seen, changed, back, kid) => replaceRings(keyRings)(changed.map(changeOf(seen, back, kid))),
)

const name = 'work of one instance'
const holder = fc.constantFrom('one', 'other', 'third')
const leaseStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    // A lease of no seconds is none: a store may forget it at once.
    arbitrary: steps(
      'an instance asks for the lease at a time, for so many seconds',
      [holder, time, fc.integer({ min: 1, max: 500 })],
      ({ leases }, _, by, at, length) => leases.acquireLease({ name, holder: by, until: secondsAfter(at, length) }, at),
    ),
  },
  steps('release the lease', [holder], ({ leases }, _, by) => leases.releaseLease(name, by)),
)

/** Key rings, and a lease. */
export const keyRingModel: StoreModel = {
  name: 'key rings and a lease',
  prepare: ({ keyRings }) => done(replaceRings(keyRings)([{ next: exampleKeyRing('ES256'), replacing: O.none }])),
  step: fc.oneof(ringStep, leaseStep),
  look: async ({ keyRings }) => ({
    rings: sorted(await done(keyRings.readKeyRings)),
    versions: sorted(await done(keyRings.readKeyRingVersions)),
  }),
}
