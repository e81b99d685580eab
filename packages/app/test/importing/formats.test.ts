import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ClientDraft, importRules } from '@clientele/domain/importing'
import { law } from '@clientele/testing'
import { clientFormats } from '../../src/importing/formats.js'
import { secondsOf } from '../../src/importing/record-parts.js'

const Formats = suite('records of other servers')
const it = law(Formats)

const seconds = fc.integer({ min: 0, max: 253_402_300_799 })

it('a time of RFC 3339 is the second that it names', [seconds], (at) =>
  assert.is(secondsOf(new Date(at * 1000).toISOString()), at),
)
it('a number is milliseconds', [seconds], (at) => assert.is(secondsOf(at * 1000 + 999), at))
it('any other value is none', [fc.anything().filter((value) => typeof value !== 'number')], (value) => {
  const is = secondsOf(value)
  assert.ok(is === undefined || typeof value === 'string')
})

Formats('an offset is subtracted, and a space may stand in place of T', () => {
  assert.is(secondsOf('2025-06-11T16:49:40+02:00'), Date.parse('2025-06-11T14:49:40Z') / 1000)
  assert.is(secondsOf('2025-06-11 16:49:40.5-0130'), Date.parse('2025-06-11T18:19:40Z') / 1000)
  assert.is(secondsOf('1969-12-31T23:59:59Z'), undefined)
  assert.is(secondsOf('yesterday'), undefined)
})

for (const [name, { read }] of Object.entries(clientFormats))
  it(`${name}: any value is read, and faults have a known rule`, [fc.oneof(fc.anything(), fc.jsonValue())], (value) => {
    const record = read(value)
    if (record.kind === 'broken')
      assert.ok(record.faults.length > 0 && record.faults.every(({ rule }) => rule in importRules))
    else assert.ok(record.kind === 'left_out' || ClientDraft.is(record.draft))
  })

Formats('an empty column of Better Auth has no value', () => {
  const record = clientFormats['better-auth'].read({
    clientId: 'a',
    clientSecret: '',
    name: '',
    icon: '',
    redirectUris: ['https://rp.example/cb'],
    scopes: [],
    contacts: '',
  })
  assert.equal(record.kind === 'client' ? record.draft.metadata : undefined, {
    redirect_uris: ['https://rp.example/cb'],
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code', 'refresh_token'],
  })
})

Formats('an empty column of Better Auth gets the default, and hides no other column', () => {
  const record = clientFormats['better-auth'].read({
    clientId: 'a',
    public: 1,
    redirectUris: '',
    redirectUrls: 'https://rp.example/cb',
    tokenEndpointAuthMethod: '',
    grantTypes: '[]',
  })
  assert.equal(record.kind === 'client' ? record.draft.metadata : undefined, {
    redirect_uris: ['https://rp.example/cb'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  })
})

Formats.run()
