import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ClientId, isNewClientId, isRegisteredId } from '../../src/client/ids.js'
import { decodeRegistrationRequest } from '../../src/registration/decide.js'
import { anyClientId, everyFaultOf, sent, standardRules } from '@clientele/testing'

const RegistrationRequest = suite('decodeRegistrationRequest')

const rulesOf = (body: unknown) => {
  const decoded = decodeRegistrationRequest(standardRules)(sent(body))
  if (E.isRight(decoded)) throw new Error(`accepted: ${JSON.stringify(body)}`)
  return (decoded.left.errors ?? []).map(({ pointer, rule }) => `${pointer}: ${rule}`)
}

const ids = [
  '',
  '.',
  '..',
  'a/b',
  'a%2Fb',
  'a?b',
  'a#b',
  'a b',
  'a\u0000',
  'é',
  '😀',
  'x'.repeat(129),
  'a\n',
  ...Object.getOwnPropertyNames(Object.prototype),
  '__proto__',
  7,
  null,
  {},
  [],
  true,
  ['abc'],
  'https://rp.example/client.json',
]
for (const id of ids)
  RegistrationRequest(`${JSON.stringify(id).slice(0, 30)} is no client_id`, () =>
    assert.equal(rulesOf({ grant_types: [], preferred_client_id: id }), ['/preferred_client_id: preferred-client-id']),
  )

for (const id of ['a', '...', '~', 'Constructor', 'A-Z_a.z~0', 'x'.repeat(128)])
  RegistrationRequest(`${id.slice(0, 30)} may be a client_id`, () => assert.ok(isNewClientId(id)))

RegistrationRequest(
  'no text is a new client_id that objects have as a name, or that is another one once normalized',
  () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[A-Za-z._~-]{1,20}$/), anyClientId())
    fc.assert(
      fc.property(text, (id) => {
        if (!isNewClientId(id)) return
        assert.equal([id.normalize('NFC'), id.normalize('NFKD'), id in {}], [id, id, false])
      }),
    )
    for (const id of Object.getOwnPropertyNames(Object.prototype)) assert.ok(isRegisteredId(id) && ClientId.is(id), id)
  },
)

for (const secret of [
  '',
  'x'.repeat(31),
  'x'.repeat(257),
  `${'x'.repeat(40)}\n`,
  `${'x'.repeat(40)}é`,
  `${'x'.repeat(40)}\u0000`,
  7,
  null,
  {},
  ['x'.repeat(40)],
])
  RegistrationRequest(`${JSON.stringify(secret).slice(-12)} is no client_secret`, () =>
    assert.equal(rulesOf({ grant_types: [], preferred_client_secret: secret }), [
      '/preferred_client_secret: preferred-client-secret',
    ]),
  )

RegistrationRequest('inherited preferences are nobody’s wish', () => {
  const body = Object.assign(
    Object.create({ preferred_client_id: 'chosen', preferred_client_secret: 's'.repeat(40) }),
    { grant_types: [] },
  )
  assert.equal(
    decodeRegistrationRequest(standardRules)(sent({ ...body })),
    decodeRegistrationRequest(standardRules)(sent({ grant_types: [] })),
  )
})

RegistrationRequest('every fault is refused', () => {
  for (const { body, fault } of everyFaultOf({})) assert.equal(rulesOf(body), [`${fault.pointer}: ${fault.rule}`])
})

RegistrationRequest.run()
