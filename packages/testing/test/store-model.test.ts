import { noRow } from '@clientele/testing'
import { type StoragePorts, noLimits } from '@clientele/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { emptyState, inMemoryStore } from '@clientele/adapters-memory'
import { inMemoryReference as reference } from '../../adapters-memory/test/support/in-memory-reference.js'
import {
  type StoreModel,
  artefactModel,
  clientModel,
  keyRingModel,
  propertyRuns,
  sessionModel,
  runParameters,
  storeModelProperty,
  storeModels,
} from '../src/index.js'

const tests = suite('models of stores, in memory')

type Plant = (store: StoragePorts) => Partial<StoragePorts>

const propertyOf = (model: StoreModel, plant: Plant, atOnce = { min: 1, max: 4 }) => {
  const open = () => {
    const state = emptyState()
    const handle = (): StoragePorts => {
      const store = inMemoryStore(state)
      return { ...store, ...plant(store) }
    }
    return Promise.resolve({ one: handle(), other: handle(), close: () => Promise.resolve() })
  }
  return storeModelProperty(model, { open, reference, atOnce, freedoms: { expired: false, order: false } })
}

for (const model of storeModels)
  tests(`a store is like itself: ${model.name}`, () =>
    fc.assert(
      propertyOf(model, () => ({})),
      { ...runParameters(), numRuns: Math.ceil(propertyRuns() / 4) },
    ),
  )

const invalidStores: Readonly<Record<string, readonly [StoreModel, Plant]>> = {
  'consumes no token': [
    clientModel,
    ({ registry }) => ({
      registry: { ...registry, addClient: (added) => registry.addClient({ ...added, consumedToken: O.none }) },
    }),
  ],
  'has no limits': [
    clientModel,
    ({ registry }) => ({
      registry: {
        ...registry,
        addClient: (added) => registry.addClient({ ...added, limits: noLimits }),
      },
    }),
  ],
  'grants a lease to all': [
    keyRingModel,
    ({ leases }) => ({ leases: { ...leases, acquireLease: () => TE.right(true) } }),
  ],
  'replaces some of the rings': [
    keyRingModel,
    ({ keyRings }) => ({
      keyRings: {
        ...keyRings,
        replaceKeyRings: (changes, decidedAt) =>
          pipe(
            changes,
            TE.traverseSeqArray((each) => keyRings.replaceKeyRings([each], decidedAt, noRow)),
            TE.map(() => undefined),
          ),
      },
    }),
  ],
  'claims what others have claimed': [
    sessionModel,
    ({ pendingNotifications }) => ({
      pendingNotifications: {
        ...pendingNotifications,
        claimDue: (at, claim, max) =>
          pipe(
            pendingNotifications.listNotifications(max),
            TE.map((all) => all.filter(({ due_at, failed }) => !failed && due_at <= at)),
            TE.tap(() => pendingNotifications.claimDue(at, claim, max)),
          ),
      },
    }),
  ],
  'revokes nothing': [
    clientModel,
    ({ authorizations }) => ({
      authorizations: { ...authorizations, revokeAuthorization: () => TE.right(undefined) },
    }),
  ],
}

const invalidArtefacts: Readonly<Record<string, Plant>> = {
  'permits every use of an artefact': ({ artefacts }) => ({
    artefacts: { ...artefacts, useArtefact: () => TE.right(undefined) },
  }),
  'stores what is issued for an artefact, and does not use it': ({ artefacts }) => ({
    artefacts: { ...artefacts, storeArtefact: (artefact, at) => artefacts.storeArtefact(artefact, at) },
  }),
  'removes a grant alone': ({ artefacts }) => ({
    artefacts: { ...artefacts, removeGrant: () => TE.right(undefined) },
  }),
}

for (const [what, plant] of Object.entries(invalidArtefacts))
  tests(`a store is found that ${what}`, async () => {
    const { failed } = await fc.check(propertyOf(artefactModel, plant), { seed: 1, numRuns: 300, endOnFailure: true })
    assert.ok(failed)
  })

for (const [what, [model, plant]] of Object.entries(invalidStores))
  tests(`a store is found that ${what}`, async () => {
    const { failed } = await fc.check(propertyOf(model, plant), { seed: 1, numRuns: 300, endOnFailure: true })
    assert.ok(failed)
  })

tests('a report names the steps, their outcomes, and what the reference returns in this order', async () => {
  const plant: Plant = ({ leases }) => ({ leases: { ...leases, acquireLease: () => TE.right(true) } })
  const checked = await fc.check(propertyOf(keyRingModel, plant, { min: 1, max: 1 }), { seed: 1, numRuns: 300 })
  assert.match(
    String(checked.errorInstance),
    /no order of these steps explains:\n(one|other): .* asks for the lease .*true/,
  )
  assert.match(String(checked.errorInstance), /in this order, in the reference: .*false/)
})

tests.run()
