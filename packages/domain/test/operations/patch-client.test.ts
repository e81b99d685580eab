import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { members } from '../../src/client/members.js'
import { needsSecret } from '../../src/client/metadata.js'
import { mergePatch } from '../../src/kernel/json.js'
import { decidePatch } from '../../src/operations/change.js'
import { decideUpdate } from '../../src/operations/configure.js'
import { type RegisteredClient, entityTagOf } from '../../src/registration/registered-client.js'
import { unknownMembers } from '../../src/client/schema.js'
import {
  type SentMetadata,
  issued,
  law,
  presentedCredential,
  receivedBody,
  registeredByMaster,
  registeredClient,
  registrationSettings,
  settingsOfDoors,
  validClientMetadata,
  withOneFault,
} from '@clientele/testing'

const DecidePatch = suite('decidePatch')
const it = law(DecidePatch)

const settings = registrationSettings()
const valid = validClientMetadata()
const generated = issued()
const client = registeredClient()
const operator = fc.constantFrom({ kind: 'master' as const }, { kind: 'store' as const })

// A client that was registered under the settings, or under others
const registered = fc
  .tuple(settings, generated, valid, client, fc.integer({ min: 0, max: 9 }))
  .map(([set, now, metadata, other, place]) => ({
    set,
    any: place === 0 ? other : registeredByMaster(set, now)(metadata),
  }))

const nulls = (names: ReadonlyArray<string>): SentMetadata => Object.fromEntries(names.map((name) => [name, null]))
const harmless = fc.record(
  {
    client_name: fc.constantFrom('One', 'Two', null),
    contacts: fc.constantFrom(['ops@rp.example'], null),
    data: fc.constantFrom({ a: 1 }, { a: null, b: { c: 2 } }, null),
  },
  { requiredKeys: [], noNullPrototype: true },
)

// Few members; whole metadata, in place of the present; and any members of valid or faulty metadata beside the present
const patch = fc.oneof(
  harmless,
  valid.map((metadata) => ({ ...nulls(Object.keys(members)), ...metadata })),
  fc
    .tuple(
      fc.oneof(
        valid,
        withOneFault(valid).map(({ body }) => body),
      ),
      fc.array(fc.constantFrom('kept', 'left out', 'removed'), { minLength: 7, maxLength: 7 }),
    )
    .map(([metadata, fates]) =>
      Object.fromEntries(
        Object.entries(metadata)
          .map(([name, value], index) => ({ name, value, fate: fates[index % 7] }))
          .filter(({ fate }) => fate !== 'left out')
          .map(({ name, value, fate }) => [name, fate === 'removed' ? null : value]),
      ),
    ),
)

const factsOf = (found: RegisteredClient, body: unknown, more: Pick<Facts, 'issued' | 'credential'>): Facts => ({
  found: O.some(found),
  statement: O.none,
  body: E.right(body),
  ...more,
})

type Facts = Parameters<ReturnType<typeof decidePatch>>[0]

const anyBody = receivedBody(fc.oneof(patch, fc.anything()))

it(
  'any facts whatever are decided, the same facts alike, and only an operator changes a client',
  [settings, generated, fc.option(client), fc.oneof(operator, presentedCredential()), anyBody],
  (set, now, any, credential, body) => {
    const facts = { found: O.fromNullable(any), statement: O.none, issued: now, credential, body }
    const decided = decidePatch(set)(facts)
    assert.equal(decidePatch(set)(facts), decided)
    if (any === null) assert.ok(E.isLeft(decided))
  },
)

it('a patch without members changes nothing', [registered, generated, operator], ({ set, any }, now, credential) => {
  const decided = decidePatch(set)(factsOf(any, {}, { issued: now, credential }))
  assert.ok(E.isLeft(decided) || decided.right.next === any)
})

const withoutCredentials = ({
  secret,
  registration_access_token,
  preceding_token,
  secret_created_at,
  preceding_secret,
  version,
  ...others
}: RegisteredClient): unknown => [
  others,
  secret === undefined,
  [registration_access_token, preceding_token, secret_created_at, preceding_secret, version].length,
]

it(
  'a patch is the update with the merged metadata, but for the credentials: the same client, or the same refusal',
  [registered, generated, operator, patch],
  ({ set, any }, now, credential, body) => {
    const facts = factsOf(any, body, { issued: now, credential })
    const patched = decidePatch(set)(facts)
    const updated = decideUpdate(set)({ ...facts, body: E.right(mergePatch(any.metadata, body)) })
    // RFC 7518 §3.2: a kept secret may be shorter than a new one.
    const isShort = E.isLeft(patched) && JSON.stringify(patched).includes('secret-length')
    // A PUT drops a name that is unknown; a patch refuses it.
    if (unknownMembers(body).length > 0) assert.ok(E.isLeft(patched))
    else if (E.isRight(patched) && E.isRight(updated))
      assert.equal(withoutCredentials(patched.right.next), withoutCredentials(updated.right.next))
    else if (!isShort) assert.equal(patched, updated)
  },
)

it(
  'a patch keeps the registration access token, and the secret wherever the client still has one',
  [registered, generated, operator, patch],
  ({ set, any }, now, credential, body) => {
    const patched = decidePatch(set)(factsOf(any, body, { issued: now, credential }))
    if (E.isLeft(patched)) return
    const { next } = patched.right
    assert.is(next.registration_access_token, any.registration_access_token)
    assert.is(next.preceding_token, any.preceding_token)
    assert.is(next.secret !== undefined, needsSecret(next.metadata))
    if (any.secret !== undefined && next.secret !== undefined) assert.is(next.secret, any.secret)
    assert.is(next.version, next === any ? any.version : any.version + 1)
  },
)

it(
  'a patch of the same members again changes nothing',
  [registered, generated, operator, patch],
  ({ set, any }, now, credential, body) => {
    const once = decidePatch(set)(factsOf(any, body, { issued: now, credential }))
    if (E.isLeft(once)) return
    const again = decidePatch(set)(factsOf(once.right.next, body, { issued: now, credential }))
    assert.ok(E.isRight(again) && again.right.next === once.right.next, JSON.stringify([once, again]))
  },
)

it(
  'the version that a request names is compared before its patch is judged',
  [settings, generated, operator, client, anyBody],
  (set, now, credential, any, body) => {
    const facts = { found: O.some(any), statement: O.none, issued: now, credential, body }
    const refused = decidePatch(set)({ ...facts, ifMatch: ['"another"'] })
    assert.ok(E.isLeft(refused) && refused.left.error === 'precondition_failed')
    assert.equal(
      decidePatch(set)({ ...facts, ifMatch: [entityTagOf(any)] }),
      decidePatch(set)({ ...facts, ifMatch: '*' }),
    )
  },
)

it(
  'a member that is unknown is refused by its name, also where more is refused',
  [generated, fc.record({ logo_url: fc.anything(), redirect_uris: fc.constantFrom(undefined, ['no uri']) })],
  (now, { logo_url, redirect_uris }) => {
    const any = registeredByMaster(settingsOfDoors, now)({ redirect_uris: ['https://rp.example/cb'] })
    const body = { logo_url, ...(redirect_uris === undefined ? {} : { redirect_uris }) }
    const refused = decidePatch(settingsOfDoors)(factsOf(any, body, { issued: now, credential: { kind: 'master' } }))
    assert.ok(E.isLeft(refused) && 'errors' in refused.left)
    const told = refused.left.errors.map(({ pointer, rule }) => [pointer, rule])
    assert.equal(told, [
      ...(redirect_uris === undefined ? [] : [['/redirect_uris/0', 'uri']]),
      ['/logo_url', 'unknown-member'],
    ])
    assert.match(JSON.stringify(refused.left.errors), 'A member is unknown: did you mean logo_uri?')
  },
)

it('patches put no metadata together that no update could send', [generated], (now) => {
  const uris = (path: string): ReadonlyArray<string> =>
    Array.from({ length: 30 }, (_, index) => `https://rp.example/${path}${index}`.padEnd(1_900, 'x'))
  const registered = registeredByMaster(settingsOfDoors, now)({ redirect_uris: uris('a') })
  const facts = factsOf(
    registered,
    { post_logout_redirect_uris: uris('b') },
    { issued: now, credential: { kind: 'master' } },
  )
  const refused = decidePatch(settingsOfDoors)(facts)
  assert.ok(E.isLeft(refused) && refused.left.error === 'invalid_request')
  const moved = { redirect_uris: ['https://rp.example/cb'], post_logout_redirect_uris: uris('b') }
  assert.ok(E.isRight(decidePatch(settingsOfDoors)({ ...facts, body: E.right(moved) })))
})

DecidePatch.run()
