// Clients whose client_id is a name that every object has.
import { emptyState, inMemoryStore, openInMemoryStore } from '@clientele/adapters-memory'
import { exampleHash, exampleId, exampleRegistrationId, addition } from '@clientele/testing'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { post, started } from '../cli/run.js'
import { done, masterToken } from '../support/two-services.js'
import { Browser, consented, endUser } from './support/browser.js'
import {
  type Application,
  confidential,
  configured,
  configuredFor,
  introspected,
  signIn,
} from './support/relying-party.js'

type World = { readonly directory: string; readonly state: ReturnType<typeof emptyState>; readonly one: Service }

const named = suite<{ world: World }>('clients with names of objects as their ids')

const namesOfObjects = ['__proto__', ...Object.getOwnPropertyNames(Object.prototype)]

named.before(async (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const state = emptyState()
  const flags = { 'data-dir': directory, 'master-token': masterToken, engine: 'oidc-provider' }
  const options = { openStore: openInMemoryStore(state) }
  context.world = { directory, state, one: await started({ ...flags, 'registration-status': '201' }, options) }
})
named.after(async ({ world: { one, directory } }) => {
  await one.stop()
  rmSync(directory, { recursive: true })
})

// In place of a version that took such ids.
const stored = async ({ one, state }: World, id: string): Promise<Application> => {
  const { registered } = await configured(one, confidential)
  const like = state.clients.get(exampleId(registered.client_id))
  if (like === undefined) throw new Error('it is registered')
  const token = { token: `token-of-${id}`, hash: exampleHash(`token-of-${id}`) }
  const identity = { client_id: exampleId(id), registration_id: exampleRegistrationId(`named-${id}`) }
  const planted = { ...like, ...identity, registration_access_token: token }
  await done(inMemoryStore(state).registry.addClient(addition(planted)))
  return configuredFor(one, confidential, { ...registered, client_id: id })
}

named('none is registered with such an id, nor imported', async ({ world: { one } }) => {
  const answer = await post(`${one.url}/direct-authz`, masterToken, { scope: 'client-reg' })
  const { access_token } = (await answer.json()) as { readonly access_token: string }
  for (const id of namesOfObjects) {
    const sent = { ...confidential, preferred_client_id: id }
    for (const token of [masterToken, access_token]) {
      const refused = await post(`${one.url}/clients`, token, sent)
      assert.equal([id, refused.status], [id, 400])
      assert.match(await refused.text(), /"pointer":"\/preferred_client_id"/)
    }
    const batch = { replace: false, clients: [{ client_id: id, metadata: confidential }] }
    const imported = await (await post(`${one.url}/imported-clients`, masterToken, batch)).text()
    assert.match(imported, /"outcome":"broken"/)
  }
})

for (const id of ['__proto__', 'constructor'])
  named(`a stored ${id} signs in for itself, and can be removed`, async ({ world }) => {
    const { one, state } = world
    const planted = await stored(world, id)
    const other = await configured(one, confidential)
    const zoe = new Browser()
    const before = Object.getOwnPropertyNames(Object.prototype)
    const first = await signIn(one, planted, zoe)
    const second = await signIn(one, planted, new Browser(), {}, { login: endUser('ada'), consent: consented })
    assert.equal(second.prompts, ['login', 'consent'])
    assert.equal(Object.getOwnPropertyNames(Object.prototype), before)
    assert.equal(['sid' in Object, 'grantId' in Object], [false, false])
    assert.is((await introspected(planted, first.tokens.access_token)).active, true)
    const elsewhere = await signIn(one, other, zoe)
    const sids = [first, second, elsewhere].map(({ tokens }) => tokens.claims()?.['sid'])
    assert.is(new Set(sids).size, 3)
    assert.equal((await signIn(one, planted, zoe)).prompts, [])

    const headers = { Authorization: `Bearer ${masterToken}` }
    assert.is((await fetch(`${one.url}/clients/${id}`, { headers })).status, 200)
    assert.is((await fetch(`${one.url}/clients/${id}`, { method: 'DELETE', headers })).status, 204)
    assert.not.ok(state.clients.has(exampleId(id)))
  })

named.run()
