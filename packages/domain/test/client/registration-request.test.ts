import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isClientId } from '../../src/client/client-id.js'
import { needsSecret } from '../../src/client/client-metadata.js'
import { members } from '../../src/client/members.js'
import { decodeRegistrationRequest } from '../../src/client/registration-request.js'
import {
  clientId,
  clientSecretText,
  everyFaultOf,
  law,
  sent,
  standardRules,
  validClientMetadata,
  validate,
  withOneFault,
} from '../../src/testing/index.js'

const RegistrationRequest = suite('decodeRegistrationRequest')
const it = law(RegistrationRequest)
const valid = validClientMetadata()

const refusalOf = (body: unknown) => {
  const decoded = decodeRegistrationRequest(standardRules)(sent(body))
  return E.isRight(decoded) ? assert.unreachable(`accepted: ${JSON.stringify(body)}`) : decoded.left
}
const codeOf = (member: string): string => {
  if (member === 'software_statement') return 'invalid_software_statement'
  return member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
}
const rulesOf = (body: unknown) => (refusalOf(body)?.errors ?? []).map(({ pointer, rule }) => `${pointer}: ${rule}`)

it('valid metadata is a registration request', [valid], (body) => {
  const { metadata } = validate(body)
  const expected = { metadata, preferred_client_id: undefined, preferred_client_secret: undefined }
  assert.equal(decodeRegistrationRequest(standardRules)(sent(body)), E.right(expected))
})

it(
  'any value whatever is a registration request or refused with a code of RFC 7591 §3.2.2',
  [fc.anything()],
  (body) => {
    const decoded = decodeRegistrationRequest(standardRules)(sent(body))
    if (E.isLeft(decoded))
      assert.match(decoded.left.error, /^invalid_(request|redirect_uri|client_metadata|software_statement)$/)
  },
)

it(
  'any values of the members are refused or accepted',
  [
    fc.dictionary(
      fc.constantFrom(...Object.keys(members), 'client_name#fr', 'preferred_client_id', 'preferred_client_secret'),
      fc.anything(),
    ),
  ],
  (body) => {
    const decoded = decodeRegistrationRequest(standardRules)(sent(body))
    if (E.isLeft(decoded))
      assert.match(decoded.left.error, /^invalid_(redirect_uri|client_metadata|software_statement)$/)
  },
)

it(
  'what is no JSON object is an invalid request',
  [fc.oneof(fc.array(fc.anything()), fc.string(), fc.double(), fc.constantFrom(null, undefined, true))],
  (body) => assert.is(refusalOf(body)?.error, 'invalid_request'),
)

it(
  'the first fault, in the order of the members, decides the code and the description',
  [withOneFault(valid), withOneFault(valid)],
  (one, other) => {
    const names = ['redirect_uris', ...Object.keys(members)]
    const combined = { ...one.body, [other.fault.member]: other.body[other.fault.member] }
    const decoded = decodeRegistrationRequest(standardRules)(sent(combined))
    if (E.isRight(decoded) || decoded.left.errors === undefined) return
    const told = decoded.left.errors.map(({ pointer }) =>
      names.indexOf((pointer.split('/')[1] ?? '').replace(/#.*$/s, '')),
    )
    assert.equal(
      told,
      [...told].sort((first, second) => first - second),
    )
    assert.is(decoded.left.error_description, decoded.left.errors.at(0)?.description)
    assert.is(decoded.left.error, codeOf(names[told[0] ?? 0] ?? ''))
  },
)

it('a fault of redirect_uris is told by its own code', [withOneFault(valid)], ({ body, fault }) =>
  assert.is(refusalOf(body)?.error, codeOf(fault.member)),
)

const distinctive = fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }).map((number) => `Zq${number}`)

it(
  'no description holds anything that was sent',
  [distinctive, fc.constantFrom(...Object.keys(members)), fc.nat(7)],
  (word, member, shape) => {
    const shapes = [
      word,
      [word],
      { [word]: word },
      [[word]],
      `${word}\n`,
      `${word}://${word}@${word}#${word}`,
      { keys: [{ [word]: word }] },
      [`${word} "${word}"`],
    ]
    const body = {
      [member]: shapes[shape],
      [`client_name#${word}9999999`]: '',
      preferred_client_id: `${word}/`,
      preferred_client_secret: word,
      [word]: word,
    }
    const refused = refusalOf(body)
    const told = [refused?.error_description ?? '', ...(refused?.errors ?? []).map(({ description }) => description)]
    for (const text of told) {
      assert.match(text, /^[\x20\x21\x23-\x5B\x5D-\x7E]+$/)
      assert.not.match(text, /Zq/)
    }
  },
)

it(
  'a preferred client_id and secret are taken as they are',
  [valid, clientId(), clientSecretText()],
  (body, preferred_client_id, preferred_client_secret) => {
    const { metadata } = validate(body)
    const wish = { ...body, preferred_client_id, preferred_client_secret }
    if (needsSecret(metadata))
      assert.equal(
        decodeRegistrationRequest(standardRules)(sent(wish)),
        E.right({ metadata, preferred_client_id, preferred_client_secret }),
      )
    else assert.equal(rulesOf(wish), ['/preferred_client_secret: preferred-client-secret-unused'])
  },
)

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
  7,
  null,
  {},
  [],
  true,
  ['abc'],
]
for (const id of ids)
  RegistrationRequest(`${JSON.stringify(id).slice(0, 30)} is no client_id`, () =>
    assert.equal(rulesOf({ grant_types: [], preferred_client_id: id }), ['/preferred_client_id: preferred-client-id']),
  )

for (const id of ['a', '...', '~', '__proto__', 'constructor', 'A-Z_a.z~0', 'x'.repeat(128)])
  RegistrationRequest(`${id.slice(0, 30)} may be a client_id`, () => assert.ok(isClientId(id)))

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
