import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allMembers, certificateMembers } from '../support/metadata/members.js'
import { allClients, assertCareful, faultsOf } from '../support/metadata/refusals.js'
import { configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/service.js'

const attacks = suite<{ service: Service }>('row 81: every member with values of every other type')

attacks.before(async (context) => {
  context.service = await startService()
})
attacks.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

const arrayLike = { 0: 'https://rp.example/', length: 1 }
const wrongFor: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  string: [[], {}, 123, true, false, null, '', ['https://rp.example/'], { toString: 'x' }],
  boolean: [[], {}, 0, 1, 'true', 'false', null, ''],
  number: [[], {}, true, null, '', '60', -1, 1.5, 9_007_199_254_740_992],
  array: ['', 'x', {}, arrayLike, 123, true, null, [null], [[]], [{}], [7], [true], ['']],
  object: ['', 'x', [], [{}], 123, true, null],
}
// An empty scope counts as left out: clients in use send it.
const isWrong = (member: string, value: unknown): boolean => member !== 'scope' || value !== ''

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

const members = {
  ...allMembers,
  ...certificateMembers,
  jwks_uri: 'https://rp.example/jwks.json',
  sector_identifier_uri: 'https://rp.example/sector.json',
  software_statement: 'e30.e30.e30',
}

const codeOf = (member: string): string => {
  if (member === 'redirect_uris') return 'invalid_redirect_uri'
  return member === 'software_statement' ? 'invalid_software_statement' : 'invalid_client_metadata'
}

for (const [member, value] of Object.entries(members))
  attacks(`${member} is told by name, on POST and PUT`, async ({ service }) => {
    const registered = await register(service)
    const { path, token: rat } = configurationOf(registered)
    const token = await issueToken(service, 'client-reg')
    const before = await allClients(service)
    for (const wrong of (wrongFor[kindOf(value)] ?? []).filter((each) => isWrong(member, each))) {
      const json = { redirect_uris, [member]: wrong }
      for (const answer of [
        await send(service, '/clients', { method: 'POST', token, json }),
        await send(service, path, { method: 'PUT', token: rat, json }),
      ]) {
        assertCareful(answer, 400, codeOf(member))
        for (const { pointer } of faultsOf(answer))
          assert.ok(`${pointer}/`.startsWith(`/${member}/`), `${JSON.stringify(wrong)} is told at ${pointer}`)
      }
    }
    assert.is(await allClients(service), before)
    assert.equal((await send(service, path, { token: rat })).json, registered.json)
    assert.is((await register(service, { redirect_uris }, token)).status, 200, 'the token is not spent')
  })

attacks('every kind of value is tried', () => {
  const kinds = new Set(Object.values(members).map(kindOf))
  assert.equal([...kinds].sort(), Object.keys(wrongFor).sort())
})

attacks.run()
