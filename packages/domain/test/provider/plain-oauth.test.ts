import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type PlainOAuth, readPlainUser } from '../../src/provider/plain-oauth.js'
import { law } from '@clientele/testing'

const Plain = suite('the end-user of a plain OAuth 2.0 server')
const it = law(Plain)

const github: PlainOAuth = {
  authorization_endpoint: 'https://github.example/authorize',
  token_endpoint: 'https://github.example/token',
  user_endpoint: 'https://github.example/user',
  emails_endpoint: 'https://github.example/user/emails',
  subject_member: 'id',
  claim_members: { name: 'name', preferred_username: 'login', email: 'email' },
}

const octocat = { id: 583231, login: 'octocat', name: null, email: 'public@example.com' }
const primary = { email: 'octocat@example.com', primary: true, verified: true }

const claimsOf = (user: unknown, emails: unknown, server: PlainOAuth = github) => {
  const read = readPlainUser(server, { user, emails })
  return E.isRight(read) ? read.right : read.left.reason
}

Plain('is its stable member as a text, with the claims of the settings', () => {
  assert.equal(claimsOf(octocat, [primary]), {
    sub: '583231',
    preferred_username: 'octocat',
    email: 'octocat@example.com',
    email_verified: true,
  })
})

Plain('has the primary address only where it is verified, and no other one in its place', () => {
  const other = { email: 'other@example.com', primary: false, verified: true }
  for (const emails of [
    [],
    [other],
    [{ ...primary, verified: false }, other],
    [{ ...primary, verified: 'true' }],
    [{ ...primary, primary: 1 }],
    [{ ...primary, email: null }],
    { 0: primary },
    undefined,
  ])
    assert.equal(claimsOf(octocat, emails), { sub: '583231', preferred_username: 'octocat' }, JSON.stringify(emails))
})

Plain(
  'of a server without an endpoint of addresses has the address of a member, which is not said to be verified',
  () => {
    const server = { ...github, emails_endpoint: undefined }
    const expected = { sub: '583231', preferred_username: 'octocat', email: 'public@example.com' }
    assert.equal(claimsOf(octocat, [primary], server), expected)
    const stated = { ...server, claim_members: { ...server.claim_members, email_verified: 'confirmed' } }
    for (const [confirmed, claims] of [
      [true, { ...expected, email_verified: true }],
      [false, { ...expected, email_verified: false }],
      ['true', expected],
      [1, expected],
    ] as const)
      assert.equal(claimsOf({ ...octocat, confirmed }, undefined, stated), claims)
  },
)

Plain('is refused without an exact subject', () => {
  for (const id of [undefined, null, '', 1.5, 2 ** 53, Number.NaN, true, ['1'], { id: 1 }])
    assert.match(String(claimsOf({ ...octocat, id }, [])), /subject_member/)
  assert.match(String(claimsOf([octocat], [])), /no JSON object/)
  assert.match(String(claimsOf(Object.create({ id: 1 }), [])), /no JSON object/)
})

it(
  'whatever the endpoints answer, is refused in one line, or has a subject and an address that is one of the list',
  [
    fc.oneof(fc.anything(), fc.record({ id: fc.anything(), email: fc.anything(), name: fc.anything() })),
    fc.oneof(
      fc.anything(),
      fc.array(fc.record({ email: fc.anything(), primary: fc.anything(), verified: fc.boolean() })),
    ),
  ],
  (user, emails) => {
    const read = readPlainUser(github, { user, emails })
    if (E.isLeft(read)) return assert.match(read.left.reason, /^[\x20-\x7e]{1,200}$/)
    assert.ok(read.right.sub.length > 0)
    if (!Object.hasOwn(read.right, 'email')) return assert.not.ok(Object.hasOwn(read.right, 'email_verified'))
    assert.is(read.right['email_verified'], true)
    assert.ok(
      Array.isArray(emails) && emails.some((each) => each.verified === true && each.email === read.right['email']),
    )
  },
)

Plain.run()
