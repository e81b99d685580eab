import { unaudited } from '@clientele/domain/operations'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type PresentedCredential, authorizeOperator } from '../../src/authorization/credential.js'
import { refusalWithoutClient } from '../../src/registration/configuration.js'
import { checkPrecondition, entityTagOf } from '../../src/registration/registered-client.js'
import { invalidToken, preconditionFailed, unavailable, unknownClient } from '../../src/kernel/refusals.js'
import { inMemoryStore } from '@clientele/adapters-memory'
import {
  done,
  exampleClient,
  law,
  noPauses,
  presentedCredential,
  shouldNotBeCalled,
  exampleOrigin,
  exampleTombstones,
  only,
  addition,
  noRow,
  deleteByCredential,
} from '@clientele/testing'
import type { ClientRegistry } from '../../src/ports/store.js'
import { noOperatorTokens } from '../support/no-operator-tokens.js'
import { createTurns } from '../../src/operations/conflicts.js'

const DeleteClient = suite('deleteByCredential')
const it = law(DeleteClient)

const removing = (ports: Partial<ClientRegistry>, settings: Parameters<typeof deleteByCredential>[0] = {}) =>
  deleteByCredential(
    settings,
    only({
      ...unaudited,
      ...noOperatorTokens,
      ...createTurns(noPauses),
      ...exampleTombstones,
      ...inMemoryStore().registry,
      removeClient: shouldNotBeCalled,
      ...ports,
    }),
  )

// RFC 6750 §3.1: an operator without the privilege learns nothing of the client.
const refusalOf = (credential: PresentedCredential): unknown => {
  const authorized = authorizeOperator(credential, false, ['clients:write'])
  const isInsufficient = E.isLeft(authorized) && authorized.left.error === 'insufficient_scope'
  return isInsufficient ? authorized.left : refusalWithoutClient(credential)
}

it(
  'where no client is there each credential is refused as the configuration endpoint refuses',
  [presentedCredential()],
  async (credential) => {
    const remove = removing({ removeClient: () => TE.left(unknownClient) })
    assert.equal(
      await remove({ origin: exampleOrigin, credential, clientId: 'client' })(),
      E.left(refusalOf(credential)),
    )
  },
)

it('what cannot be an identifier is not asked for', [presentedCredential()], async (credential) => {
  const remove = removing({ removeClient: shouldNotBeCalled })
  for (const clientId of ['..', '', 'a/b', 'é', 'x'.repeat(129)])
    assert.equal(await remove({ origin: exampleOrigin, credential, clientId })(), E.left(refusalOf(credential)))
})

DeleteClient('without a usable credential the store is not asked', async () => {
  const remove = removing({ removeClient: shouldNotBeCalled })
  for (const kind of ['none', 'unusable'] as const)
    assert.ok(E.isLeft(await remove({ origin: exampleOrigin, credential: { kind }, clientId: 'client' })()))
})

DeleteClient('the master token removes any client, and a registration access token its own alone', async () => {
  const { registry, clients } = inMemoryStore()
  const all = ['a', 'b', 'c'].map((id) => exampleClient(id))
  for (const client of all) await done(registry.addClient(addition(client)))
  const remove = removing({ ...registry })
  const tokenOf = (id: string) => ({
    kind: 'token' as const,
    hash: exampleClient(id).registration_access_token.hash,
  })
  assert.equal(await remove({ origin: exampleOrigin, credential: tokenOf('b'), clientId: 'a' })(), E.left(invalidToken))
  await done(remove({ origin: exampleOrigin, credential: tokenOf('a'), clientId: 'a' }))
  await done(remove({ origin: exampleOrigin, credential: { kind: 'master' }, clientId: 'b' }))
  assert.equal([...clients.keys()], ['c'])
})

DeleteClient('a store that cannot answer is no unknown client', async () => {
  const remove = removing({ removeClient: () => TE.left(unavailable('disk')) })
  assert.equal(
    await remove({ origin: exampleOrigin, credential: { kind: 'master' }, clientId: 'a' })(),
    E.left(unavailable('disk')),
  )
})

const versions = fc.oneof(
  fc.constant(undefined),
  fc.constant('*' as const),
  fc.array(fc.oneof(fc.string(), fc.constantFrom('"1"', ''))),
)

it('a removal that names a version removes that version alone', [versions, fc.boolean()], async (named, isOwn) => {
  const { registry, clients } = inMemoryStore()
  const client = exampleClient('a')
  await done(registry.addClient(addition(client)))
  const { hash } = client.registration_access_token
  const credential: PresentedCredential = isOwn ? { kind: 'token', hash } : { kind: 'master' }
  const ifMatch = typeof named === 'object' && isOwn ? [...named, entityTagOf(client)] : named
  const outcome = await removing(registry, { requiresIfMatch: true })({
    origin: exampleOrigin,
    credential,
    clientId: 'a',
    ifMatch,
  })()
  const permitted = checkPrecondition(true, ifMatch)(client)
  assert.equal(outcome, permitted)
  assert.is(clients.size, E.isRight(permitted) ? 0 : 1)
})

DeleteClient('a client that is changed between reading and removal stays, and the requester is told', async () => {
  const { registry } = inMemoryStore()
  const client = exampleClient('a')
  await done(registry.addClient(addition(client)))
  const next = { ...client, version: client.version + 1 }
  const remove = removing({
    ...registry,
    removeClient:
      (...removed) =>
      async () => {
        await registry.replaceClient({ next, replacing: client, audit: noRow })()
        return registry.removeClient(...removed)()
      },
  })
  const request = { credential: { kind: 'master' }, clientId: 'a', ifMatch: [entityTagOf(client)] } as const
  assert.equal(await remove({ ...request, origin: exampleOrigin })(), E.left(preconditionFailed))
  assert.equal(await done(registry.findClient(client.client_id)), O.some(next))
})

DeleteClient('a stranger learns nothing of the version', async () => {
  const { registry } = inMemoryStore()
  await done(registry.addClient(addition(exampleClient('a'))))
  const credential: PresentedCredential = { kind: 'token', hash: exampleClient('b').registration_access_token.hash }
  const remove = removing(registry, { requiresIfMatch: true })
  for (const ifMatch of [undefined, '*' as const, []])
    assert.equal(await remove({ origin: exampleOrigin, credential, clientId: 'a', ifMatch })(), E.left(invalidToken))
})

DeleteClient.run()
