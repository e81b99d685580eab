import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { choiceMembers } from '../support/metadata/members.js'
import { allClients, assertCareful, faultsOf } from '../support/metadata/refusals.js'
import { configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const attacks = suite<{ service: Service }>('bodies with more faults than anybody makes')

attacks.before(async (context) => {
  context.service = await startService()
})
attacks.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

const times = <Entry>(count: number, entry: (index: number) => Entry): ReadonlyArray<Entry> =>
  Array.from({ length: count }, (_, index) => entry(index))

const privateKey = { kty: 'RSA', d: '', p: '', q: '', dp: '', dq: '', qi: '', oth: '', k: '' }

const crowded: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '32 faulty redirection URIs': { redirect_uris: times(32, (i) => `http://rp.example/${i}`) },
  '64 faulty languages': { redirect_uris, ...Object.fromEntries(times(64, (i) => [`client_name#!${i}`, 'x'])) },
  '64 faulty languages of great length': {
    redirect_uris,
    ...Object.fromEntries(times(64, (i) => [`organization_name#${'"'.repeat(200)}${i}`, 'x'])),
  },
  '32 keys with 8 private members each': { redirect_uris, jwks: { keys: times(32, () => privateKey) } },
  'every list with 32 faulty entries': {
    redirect_uris: times(32, (i) => `http://rp.example/${i}`),
    ...Object.fromEntries(Object.keys(choiceMembers).map((member) => [member, times(32, (i) => `\u00e9${i}`)])),
  },
}

for (const [name, json] of Object.entries(crowded))
  attacks(`${name}: 400 with an answer of at most 20 KiB, and nothing stored`, async ({ service }) => {
    const registered = await register(service)
    const { path, token: rat } = configurationOf(registered)
    const token = await issueToken(service, 'client-reg')
    const before = await allClients(service)
    for (const answer of [
      await register(service, json, token),
      await send(service, path, { method: 'PUT', token: rat, json }),
    ]) {
      const code =
        name.includes('languages') || name.includes('keys') ? 'invalid_client_metadata' : 'invalid_redirect_uri'
      assertCareful(answer, 400, code)
      assert.ok(faultsOf(answer).length > 1)
      assert.is(faultsOf(answer)[0]?.description, answer.json['error_description'])
    }
    assert.is(await allClients(service), before)
    assert.is((await register(service, { redirect_uris }, token)).status, 200, 'the token is not spent')
  })

attacks.run()
