import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addableBy, permits, union } from '../../src/authorization/registrant.js'
import { requestedPrivileges } from '../../src/registration/permit.js'
import type { PresentedCredential } from '../../src/authorization/credential.js'
import { clientInformation } from '../../src/registration/information.js'
import type { GeneratedCredentials, RegisteredClient } from '../../src/registration/registered-client.js'
import { invalidRequest, invalidToken, unknownClient } from '../../src/kernel/refusals.js'
import { type RegistrationSettings, decideRegistration } from '../../src/registration/decide.js'
import { decideUpdate } from '../../src/operations/configure.js'
import {
  initialAccessToken,
  issued,
  law,
  presentedCredential,
  presenting,
  receivedBody,
  registeredClient,
  registrationSettings,
  tokenHash,
  validClientMetadata,
  validate,
  withOneFault,
} from '@clientele/testing'

const DecideUpdate = suite('decideUpdate')
const it = law(DecideUpdate)
const settings = registrationSettings()
const generated = issued()
const client = registeredClient()
const valid = validClientMetadata()
const invalid = withOneFault(valid).map(({ body }) => body)
const anyBody = receivedBody(fc.oneof(valid, invalid, fc.anything()))
const master: PresentedCredential = { kind: 'master' }
const ratOf = (of: RegisteredClient): PresentedCredential => ({
  kind: 'token',
  hash: of.registration_access_token.hash,
})
const errorOf = (decided: E.Either<{ readonly error: string }, unknown>): string | undefined =>
  E.isLeft(decided) ? decided.left.error : undefined
const update = (
  set: RegistrationSettings,
  now: GeneratedCredentials,
  credential: PresentedCredential,
  found: RegisteredClient,
  body: unknown,
) => decideUpdate(set)({ credential, found: O.some(found), statement: O.none, issued: now, body: E.right(body) })
const afterUpdate = (
  set: RegistrationSettings,
  now: GeneratedCredentials,
  credential: PresentedCredential,
  found: RegisteredClient,
  body: unknown,
): RegisteredClient => {
  const decided = update(set, now, credential, found, body)
  return E.isRight(decided) ? decided.right.next : found
}

it(
  'any facts whatever are decided, and the same facts alike',
  [settings, generated, fc.option(client), presentedCredential(), anyBody],
  (set, now, any, other, body) => {
    for (const credential of [other, any === null ? master : ratOf(any)]) {
      const facts = { credential, found: O.fromNullable(any), statement: O.none, issued: now, body }
      const decided = decideUpdate(set)(facts)
      assert.equal(decideUpdate(set)(facts), decided)
      assert.match(
        errorOf(decided) ?? 'invalid_token',
        /^(missing_token|invalid_token|unknown_client|invalid_(request|redirect_uri|client_metadata|software_statement)|insufficient_scope)$/,
      )
    }
  },
)

it(
  'who asks comes first: nothing is told of the body to whoever may not update (401 and 404 before 400)',
  [settings, generated, client, tokenHash(), anyBody],
  (set, now, any, hash, body) => {
    const refused = (credential: PresentedCredential, found: O.Option<RegisteredClient>) =>
      decideUpdate(set)({ credential, found, statement: O.none, issued: now, body })
    assert.is(errorOf(refused({ kind: 'none' }, O.some(any))), 'missing_token')
    assert.equal(refused({ kind: 'token', hash }, O.some(any)), E.left(invalidToken))
    assert.equal(refused(ratOf(any), O.none), E.left(invalidToken))
    assert.equal(refused(master, O.none), E.left(unknownClient))
  },
)

it(
  'a fault is told before a lack of privilege (400 before 403)',
  [settings, generated, client, invalid],
  (set, now, any, body) =>
    assert.match(
      errorOf(update(set, now, ratOf(any), any, body)) ?? '',
      /^invalid_(redirect_uri|client_metadata|software_statement)$/,
    ),
)

it(
  'the metadata is replaced as a whole: what is left out goes back to its default (RFC 7592 §2.2)',
  [settings, generated, client, valid],
  (set, now, any, body) => {
    const decided = update(set, now, master, any, body)
    assert.ok(E.isRight(decided))
    if (E.isRight(decided)) assert.equal({ ...decided.right.next.metadata }, { ...validate(body).metadata })
  },
)

it(
  'an update replaces the very version that was found, by the next one',
  [settings, generated, client, valid],
  (set, now, any, body) => {
    const decided = update(set, now, master, any, body)
    if (E.isRight(decided)) assert.equal([decided.right.replacing, decided.right.next.version], [any, any.version + 1])
  },
)

it('a client that had all it asks for updates to it, and to less', [settings, generated, client], (set, now, any) => {
  assert.ok(E.isRight(update(set, now, ratOf(any), any, { ...any.metadata })))
  assert.ok(E.isRight(update(set, now, ratOf(any), any, { grant_types: [] })))
  const less = Object.entries(any.metadata).filter(([name]) => !['data', 'scope'].includes(name))
  assert.ok(E.isRight(update(set, now, ratOf(any), any, Object.fromEntries(less))))
})

it(
  'an update adds only what the registration was allowed, by nobody only what nobody may have today',
  [settings, generated, client, valid],
  (set, now, any, body) => {
    const requested = requestedPrivileges(validate(body).metadata)
    const stored = {
      ...requestedPrivileges(any.metadata),
      data: JSON.stringify(any.metadata.data) === JSON.stringify(body['data']),
    }
    assert.equal(
      errorOf(update(set, now, ratOf(any), any, body)),
      permits(union(addableBy(set.mode)(any.registered_by, any.privileges), stored))(requested)
        ? undefined
        : 'insufficient_scope',
    )
  },
)

it(
  'no sequence of updates by the client steps up beyond its registration',
  [settings, initialAccessToken(), generated, valid, fc.array(fc.tuple(generated, valid), { maxLength: 6 })],
  (set, token, now, body, updates) => {
    const decided = decideRegistration(set)(presenting(token, now, body))
    if (E.isLeft(decided)) return
    const { client: first } = decided.right
    const last = updates.reduce(
      (current, [later, next]) => afterUpdate(set, later, ratOf(current), current, next),
      first,
    )
    assert.ok(permits(union(first.privileges, requestedPrivileges(first.metadata)))(requestedPrivileges(last.metadata)))
    assert.equal(last.privileges, first.privileges)
  },
)

it(
  'no sequence of updates by any client steps up beyond what it had and was allowed',
  [settings, client, fc.array(fc.tuple(generated, valid), { maxLength: 6 })],
  (set, first, updates) => {
    const last = updates.reduce(
      (current, [later, next]) => afterUpdate(set, later, ratOf(current), current, next),
      first,
    )
    assert.ok(permits(union(first.privileges, requestedPrivileges(first.metadata)))(requestedPrivileges(last.metadata)))
    if (!first.privileges.data && last.metadata.data !== undefined)
      assert.equal(last.metadata.data, first.metadata.data)
  },
)

it(
  'what the master token added is kept by the client’s own updates',
  [settings, generated, generated, client, valid],
  (set, now, later, any, body) => {
    const added = afterUpdate(set, now, master, any, body)
    const stored = update(set, later, ratOf(added), added, { ...added.metadata, client_name: 'Another name' })
    assert.ok(E.isRight(stored))
    if (E.isRight(stored)) assert.equal(stored.right.next.metadata.grant_types, added.metadata.grant_types)
  },
)

it(
  'what the client gave up it does not get back, unless its registration was allowed it',
  [settings, generated, generated, client],
  (set, now, later, any) => {
    const less = afterUpdate(set, now, ratOf(any), any, { grant_types: [] })
    const again = update(set, later, ratOf(less), less, { ...any.metadata })
    assert.is(
      E.isRight(again),
      permits(addableBy(set.mode)(any.registered_by, any.privileges))(requestedPrivileges(any.metadata)),
    )
  },
)

it(
  'client information sent back, without what only the server issues, changes nothing (RFC 7592 §2.2)',
  [settings, generated, client],
  (set, now, any) => {
    const information: Readonly<Record<string, unknown>> = { ...clientInformation(set.registrationEndpoint)(any) }
    const serverIssued = [
      'registration_access_token',
      'registration_client_uri',
      'client_id_issued_at',
      'client_secret_expires_at',
    ]
    const sent: unknown = JSON.parse(
      JSON.stringify(Object.fromEntries(Object.entries(information).filter(([name]) => !serverIssued.includes(name)))),
    )
    const decided = update(set, now, ratOf(any), any, sent)
    assert.ok(E.isRight(decided))
    if (E.isRight(decided))
      assert.equal(JSON.parse(JSON.stringify(decided.right.next.metadata)), JSON.parse(JSON.stringify(any.metadata)))
  },
)

it(
  'a registration and an update accept the same metadata for the same privileges',
  [settings, initialAccessToken(), generated, generated, valid],
  (set, token, now, later, body) => {
    const managed = { ...set, mode: { kind: 'managed' as const } }
    const made = decideRegistration(managed)(presenting({ ...token }, now, body))
    const bare = decideRegistration(managed)({
      credential: master,
      token: O.none,
      statement: O.none,
      issued: now,
      body: E.right({ grant_types: [] }),
    })
    if (E.isLeft(bare)) return assert.unreachable()
    const updated = update(
      managed,
      later,
      ratOf(bare.right.client),
      { ...bare.right.client, privileges: token.privileges },
      body,
    )
    assert.is(E.isRight(updated), E.isRight(made))
    if (E.isRight(updated) && E.isRight(made)) assert.equal(updated.right.next.metadata, made.right.client.metadata)
  },
)

it(
  'the token that a rotation replaced opens the client in its grace alone, and no more after the new one did',
  [settings, generated, generated, generated, client],
  (set, now, second, third, any) => {
    const { registrationAccessTokenGrace: grace = 0 } = set.credentials
    const rotating = { ...set, credentials: { ...set.credentials, rotateRegistrationAccessTokenOnUpdate: true } }
    const next = afterUpdate(rotating, now, ratOf(any), any, { ...any.metadata })
    // The policy may refuse the metadata; and tokens are never equal in a service.
    const tokens = [any, now, second, third].map(({ registration_access_token: { hash } }) => hash)
    if (next === any || new Set(tokens).size < tokens.length) return
    const isRefused = (at: GeneratedCredentials, credential: PresentedCredential, stored: RegisteredClient) =>
      errorOf(update(rotating, at, credential, stored, { ...any.metadata })) === 'invalid_token'
    assert.is(isRefused(second, ratOf(any), next), grace === 0 || second.at >= now.at + grace)
    assert.not.ok(isRefused(second, ratOf(next), next))
    const last = afterUpdate(rotating, second, ratOf(next), next, { ...any.metadata })
    if (last !== next) assert.ok(isRefused(third, ratOf(any), last))
  },
)

it(
  'a body that could not be read is refused as such, to whoever may update',
  [settings, generated, client],
  (set, now, any) => {
    const body = E.left(invalidRequest('The body is not valid JSON'))
    for (const credential of [master, ratOf(any)])
      assert.equal(decideUpdate(set)({ credential, found: O.some(any), statement: O.none, issued: now, body }), body)
  },
)

DecideUpdate.run()
