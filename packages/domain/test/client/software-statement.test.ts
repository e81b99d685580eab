import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeRegistrationRequest } from '../../src/registration/decide.js'
import { type ReadStatement, statementIn } from '../../src/client/statement.js'
import { shownApplication } from '../../src/logout/confirm.js'
import { storedMetadata } from '../../src/registration/permit.js'
import {
  customData,
  law,
  registeredClient,
  secretLength,
  standardRules,
  validClientMetadata,
  validate,
} from '@clientele/testing'

const SoftwareStatement = suite('software statements')
const it = law(SoftwareStatement)
const valid = validClientMetadata()
const software_statement = 'e30.e30.c2ln'
const asserted = (claims: object): O.Option<ReadStatement> => O.some(E.right(JSON.parse(JSON.stringify(claims))))
const decode = (body: unknown, statement: O.Option<ReadStatement>) =>
  decodeRegistrationRequest(standardRules)({ body, statement, secretLength, registeredBy: 'master' })
const refusal = (body: unknown, statement: O.Option<ReadStatement>) => {
  const decoded = decode(body, statement)
  return E.isLeft(decoded) ? [decoded.left.error, ...(decoded.left.errors ?? []).map(({ pointer }) => pointer)] : []
}

it('what a statement says wins over the body (RFC 7591 §2.3)', [valid, valid], (body, claims) => {
  const name = { client_name: 'of the body', 'client_name#de': 'aus der Anfrage' }
  const decoded = decode({ ...claims, ...name, software_statement }, asserted({ ...claims, iss: 'i' }))
  const isNamed = Object.keys(claims).some((member) => /^client_name(?:#|$)/.test(member))
  const expected = { ...validate({ ...claims, ...(isNamed ? {} : name) }).metadata }
  assert.equal(E.isRight(decoded) && { ...decoded.right.metadata }, { ...expected, software_statement })
  assert.equal(
    decode({ ...body, software_statement }, asserted({})),
    decode({ ...body, software_statement }, asserted({ exp: 1, sub: 'x' })),
  )
})

const name = fc.constantFrom('Of one', 'Of another')
const tagged = (member: string) =>
  fc.dictionary(
    fc.constantFrom(member, ...['en', 'EN', 'en-GB', 'fr', 'x-1'].map((tag) => `${member}#${tag}`)),
    member === 'client_name' ? name : fc.constantFrom('https://rp.example/a', 'https://rp.example/b'),
    { noNullPrototype: true },
  )
const variants = fc
  .tuple(tagged('client_name'), tagged('policy_uri'))
  .map(([names, uris]) => ({ ...names, ...uris }))
  .filter((made) => new Set(Object.keys(made).map((each) => each.toLowerCase())).size === Object.keys(made).length)
const languages = ['en', 'en-GB', 'fr', 'de', 'x-1']

it(
  'of a member that a statement says in any language, nothing of the body is kept or shown (RFC 7591 §2.3)',
  [variants, variants, registeredClient()],
  (sent, claims, client) => {
    const body = { ...sent, grant_types: [], software_statement }
    const marked = Object.fromEntries(Object.entries(claims).map(([member, value]) => [member, `${value}/stated`]))
    const decoded = decode(body, asserted(marked))
    if (E.isLeft(decoded)) return assert.unreachable(JSON.stringify(decoded.left))
    const stored = Object.entries({ ...decoded.right.metadata })
    for (const member of ['client_name', 'policy_uri']) {
      const isOf = (each: string) => each === member || each.startsWith(`${member}#`)
      const saying = Object.keys(claims).some(isOf) ? marked : sent
      assert.equal(
        Object.fromEntries(stored.filter(([each]) => isOf(each))),
        Object.fromEntries(Object.entries(saying).filter(([each]) => isOf(each))),
      )
    }
    if (!Object.keys(claims).some((each) => each.startsWith('client_name'))) return
    const metadata = storedMetadata({ ...decoded.right.metadata })
    for (const language of languages)
      assert.match(
        shownApplication(language)({ ...client, metadata }, 'https://rp.example/').name ?? '/stated',
        /\/stated$/,
      )
  },
)

SoftwareStatement('a claim with a language tag says nothing of a member that has no languages', () => {
  const decoded = decode(
    { redirect_uris: ['https://rp.example/'], software_statement },
    asserted({ 'redirect_uris#fr': ['https://evil.example/'], 'data#fr': {} }),
  )
  assert.equal(E.isRight(decoded) && decoded.right.metadata.redirect_uris, ['https://rp.example/'])
})

it('the statement itself is kept, unmodified (RFC 7591 §3.2.1)', [valid], (body) => {
  const decoded = decode({ ...body, software_statement }, asserted({}))
  assert.is(E.isRight(decoded) && decoded.right.metadata.software_statement, software_statement)
})

it('a statement that nobody read, or whose issuer nobody trusts, is not approved', [valid], (body) => {
  for (const read of [O.none, O.some(E.left('software-statement-unapproved' as const))])
    assert.equal(refusal({ ...body, software_statement }, read), [
      'unapproved_software_statement',
      '/software_statement',
    ])
})

it(
  'a statement that is none is told alone, whatever else is wrong',
  [fc.dictionary(fc.string(), fc.anything())],
  (body) =>
    assert.equal(refusal({ ...body, software_statement }, O.some(E.left('software-statement'))), [
      'invalid_software_statement',
      '/software_statement',
    ]),
)

it('any claims whatever are decided', [customData()], (claims) => {
  const decoded = decode({ grant_types: [], software_statement }, asserted(claims))
  if (E.isLeft(decoded)) assert.is(decoded.left.error, 'invalid_software_statement')
})

SoftwareStatement('a rule that a claim breaks is the fault of the statement', () => {
  const body = { redirect_uris: ['https://rp.example/'], software_statement }
  assert.equal(refusal(body, asserted({ redirect_uris: ['http://rp.example/'] })), [
    'invalid_software_statement',
    '/redirect_uris/0',
  ])
  assert.equal(refusal({ ...body, redirect_uris: ['http://rp.example/'] }, asserted({ client_name: 'x' })), [
    'invalid_redirect_uri',
    '/redirect_uris/0',
  ])
})

for (const name of [
  'client_id',
  'client_secret',
  'client_id_issued_at',
  'client_secret_expires_at',
  'registration_access_token',
  'registration_client_uri',
  'preferred_client_id',
  'preferred_client_secret',
  'software_statement',
])
  SoftwareStatement(`a statement must not say ${name}`, () =>
    assert.equal(refusal({ grant_types: [], software_statement }, asserted({ [name]: 'x' })), [
      'invalid_software_statement',
      `/${name}`,
    ]),
  )

SoftwareStatement('what is no JWT in form is an invalid statement, and no claims are looked for', () => {
  for (const value of ['', 'a.b', 'a.b.c.d', 7, null, {}]) {
    assert.is(
      refusal({ grant_types: [], software_statement: value }, asserted({ client_name: 7 }))[0],
      'invalid_software_statement',
    )
    assert.equal(statementIn({ software_statement: value }), O.none)
  }
})

SoftwareStatement('a statement is found where it stands', () => {
  assert.equal(statementIn({ software_statement }), O.some(software_statement))
  for (const body of [undefined, null, 'software_statement', [], {}]) assert.equal(statementIn(body), O.none)
})

SoftwareStatement('a statement must not hold another one', () => {
  assert.equal(refusal({ grant_types: [], software_statement }, asserted({ software_statement })), [
    'invalid_software_statement',
    '/software_statement',
  ])
})

SoftwareStatement('a name in a language that a statement says wrongly is the fault of the statement', () => {
  assert.equal(refusal({ grant_types: [], software_statement }, asserted({ 'client_name#fr': '' })), [
    'invalid_software_statement',
    '/client_name#fr',
  ])
})

it('any value whatever has a statement in the form of a JWT, or none', [fc.anything()], (value) => {
  if (O.isSome(statementIn(value))) assert.ok(Object.hasOwn(Object(value), 'software_statement'))
})

SoftwareStatement('an inherited statement is nobody’s wish', () =>
  assert.equal(statementIn(Object.create({ software_statement })), O.none),
)

SoftwareStatement.run()
