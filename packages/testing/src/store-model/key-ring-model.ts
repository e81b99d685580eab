import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { secondsAfter } from '@clientele/domain/kernel'
import { type KeyRing, newRing } from '@clientele/domain/keys'
import type { KeyRingChange } from '@clientele/domain/ports'
import { namedKey } from '../arbitraries/key-history.js'
import { done, replaceRings } from '../contracts/contract.js'
import { exampleTime } from '../examples.js'
import { type Seen, type Step, type StoreModel, ago, sorted, time } from './explain.js'

const algorithms = ['ES256', 'EdDSA', 'RS256']
const holders = ['one', 'other', 'third']
const policy = { lifetime: 100, publishAhead: 20, retention: 10, maxAge: 10 }

const firstRing = (alg: string): KeyRing => newRing(policy, exampleTime)(alg, 'sig', namedKey(alg))

const changeOf = ({ keyRings }: Seen, back: number, kid: string) => {
  const read = keyRings.at(-back) ?? []
  return (alg: string): KeyRingChange => {
    const ring = read.find((each) => each.alg === alg)
    if (ring === undefined) return { next: { ...firstRing(alg), forgotten: [kid] }, replacing: O.none }
    return { next: { ...ring, version: ring.version + 1, forgotten: [kid] }, replacing: O.some(ring) }
  }
}

const ringStep: fc.Arbitrary<Step> = fc
  .tuple(fc.shuffledSubarray(algorithms, { minLength: 1 }), ago, fc.nat(99).map(String))
  .map(([changed, back, kid]): Step => ({
    name: `replace the rings ${changed.join()} that were read ${back} ago, without the key ${kid}`,
    run: ({ keyRings }, seen) => replaceRings(keyRings)(changed.map(changeOf(seen, back, kid))),
  }))

const name = 'work of one instance'
const leaseStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    // A lease of no seconds is none: a store may forget it at once.
    arbitrary: fc
      .tuple(fc.constantFrom(...holders), time, fc.integer({ min: 1, max: 500 }))
      .map(([holder, at, length]): Step => ({
        name: `${holder} asks for the lease at ${at}, for ${length} seconds`,
        run: ({ leases }) => leases.acquireLease({ name, holder, until: secondsAfter(at, length) }, at),
      })),
  },
  fc.constantFrom(...holders).map((holder): Step => ({
    name: `${holder} releases the lease`,
    run: ({ leases }) => leases.releaseLease(name, holder),
  })),
)

/** Key rings, and a lease. */
export const keyRingModel: StoreModel = {
  name: 'key rings and a lease',
  prepare: ({ keyRings }) => done(replaceRings(keyRings)([{ next: firstRing('ES256'), replacing: O.none }])),
  step: fc.oneof(ringStep, leaseStep),
  look: async ({ keyRings }) => ({
    rings: sorted(await done(keyRings.readKeyRings)),
    versions: sorted(await done(keyRings.readKeyRingVersions)),
  }),
}
