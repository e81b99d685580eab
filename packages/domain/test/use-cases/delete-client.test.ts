import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PresentedCredential } from '../../src/authorization/credential.js'
import { authorizeOperator } from '../../src/authorization/operator.js'
import { refusalWithoutClient } from '../../src/registration/authorize-configuration.js'
import { invalidToken, unavailable, unknownClient } from '../../src/errors.js'
import { inMemoryStore } from '@clientele/adapters-memory'
import { done, exampleClient, law, presentedCredential, shouldNotBeCalled } from '@clientele/testing'
import { noLimits } from '../../src/ports/client-registry.js'
import { deleteClient } from '../../src/use-cases/delete-client.js'
import { noOperatorTokens } from '../support/no-operator-tokens.js'

const DeleteClient = suite('deleteClient')
const it = law(DeleteClient)

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
    const remove = deleteClient({ ...noOperatorTokens, removeClient: () => TE.left(unknownClient) })
    assert.equal(await remove({ credential, clientId: 'client' })(), E.left(refusalOf(credential)))
  },
)

it('what cannot be an identifier is not asked for', [presentedCredential()], async (credential) => {
  const remove = deleteClient({ ...noOperatorTokens, removeClient: shouldNotBeCalled })
  for (const clientId of ['..', '', 'a/b', 'é', 'x'.repeat(129)])
    assert.equal(await remove({ credential, clientId })(), E.left(refusalOf(credential)))
})

DeleteClient('without a usable credential the store is not asked', async () => {
  const remove = deleteClient({ ...noOperatorTokens, removeClient: shouldNotBeCalled })
  for (const kind of ['none', 'unusable'] as const)
    assert.ok(E.isLeft(await remove({ credential: { kind }, clientId: 'client' })()))
})

DeleteClient('the master token removes any client, and a registration access token its own alone', async () => {
  const { registry, clients } = inMemoryStore()
  const all = ['a', 'b', 'c'].map((id) => exampleClient(id))
  for (const client of all) await done(registry.addClient(client, O.none, noLimits))
  const remove = deleteClient({ ...noOperatorTokens, ...registry })
  const tokenOf = (id: string) => ({
    kind: 'token' as const,
    hash: exampleClient(id).registration_access_token.hash,
  })
  assert.equal(await remove({ credential: tokenOf('b'), clientId: 'a' })(), E.left(invalidToken))
  await done(remove({ credential: tokenOf('a'), clientId: 'a' }))
  await done(remove({ credential: { kind: 'master' }, clientId: 'b' }))
  assert.equal([...clients.keys()], ['c'])
})

DeleteClient('a store that cannot answer is no unknown client', async () => {
  const remove = deleteClient({ ...noOperatorTokens, removeClient: () => TE.left(unavailable('disk')) })
  assert.equal(await remove({ credential: { kind: 'master' }, clientId: 'a' })(), E.left(unavailable('disk')))
})

DeleteClient.run()
