import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Registrant } from '../../src/authorization/authorize-registrant.js'
import { askedPrivileges, permitRegistration, permitUpdate } from '../../src/authorization/permit-registration.js'
import type { Privileges } from '../../src/authorization/privileges.js'
import { allPrivileges, grantPrivilege, noPrivileges, permits, union } from '../../src/authorization/privileges.js'
import type { ClientMetadata } from '../../src/client/client-metadata.js'
import { missingToken } from '../../src/errors.js'
import {
  clientId,
  customData,
  law,
  privileges,
  scopeToken,
  validClientMetadata,
  validate,
} from '../../src/testing/index.js'

const PermitRegistration = suite('permitRegistration')
const it = law(PermitRegistration)
const effective = validClientMetadata().map((body) => validate(body).metadata)
const request = fc.record({
  metadata: effective,
  preferred_client_id: fc.option(clientId(), { nil: undefined }),
  preferred_client_secret: fc.option(fc.constant('s'.repeat(32)), { nil: undefined }),
})
const without = (metadata: ClientMetadata): ClientMetadata =>
  validate(Object.fromEntries(Object.entries(metadata).filter(([name]) => !['data', 'scope'].includes(name)))).metadata
const registrant = (held: Privileges, by: Registrant['by'] = 'token'): Registrant => ({ held, by, spending: O.none })

it('what is permitted is exactly what is within what is held', [privileges(), request], (held, asking) => {
  const asked = {
    ...askedPrivileges(asking.metadata),
    preferred_client_id: asking.preferred_client_id !== undefined,
    preferred_client_secret: asking.preferred_client_secret !== undefined,
  }
  assert.is(E.isRight(permitRegistration(registrant(held))(asking)), permits(held)(asked))
})

it('what is permitted is the metadata as it was', [request], (asking) =>
  assert.equal(permitRegistration(registrant(allPrivileges))(asking), E.right(asking.metadata)),
)

it('more privileges never permit less', [privileges(), privileges(), request], (held, more, asking) => {
  if (E.isRight(permitRegistration(registrant(held))(asking)))
    assert.ok(E.isRight(permitRegistration(registrant(union(held, more)))(asking)))
})

it(
  'whoever came without a token is told to bring one, anybody else that it is not enough',
  [privileges(), request],
  (held, asking) => {
    const [nobody, somebody] = [
      permitRegistration(registrant(held, 'nobody'))(asking),
      permitRegistration(registrant(held))(asking),
    ]
    assert.is(E.isLeft(nobody), E.isLeft(somebody))
    if (E.isLeft(nobody)) assert.equal(nobody.left, missingToken)
    if (E.isLeft(somebody)) assert.is(somebody.left.error, 'insufficient_scope')
  },
)

it(
  'the refusal fits a header: printable ASCII without quote or backslash, and nothing that was sent',
  [privileges(), request],
  (held, asking) => {
    const sent = {
      ...asking.metadata,
      grant_types: [...asking.metadata.grant_types, 'distinct-grant'],
      scope: 'distinct-scope',
    }
    const refused = permitRegistration(registrant(held))({ ...asking, metadata: sent })
    if (E.isRight(refused) || refused.left.error !== 'insufficient_scope') return
    assert.match(refused.left.error_description, /^[\x20\x21\x23-\x5B\x5D-\x7E]{1,600}$/)
    assert.not.match(refused.left.error_description, /distinct/)
  },
)

it('a registration that leaves grant_types out asks for its default', [privileges()], (held) => {
  const { metadata } = validate({ redirect_uris: ['https://rp.example/'] })
  const asking = { metadata, preferred_client_id: undefined, preferred_client_secret: undefined }
  assert.is(
    E.isRight(permitRegistration(registrant(held))(asking)),
    permits(held)(grantPrivilege('authorization_code')),
  )
})

it('data, even an empty object, needs its privilege', [privileges(), fc.constantFrom({}, { a: 1 })], (held, data) => {
  const { metadata } = validate({ data, grant_types: [] })
  const asking = { metadata, preferred_client_id: undefined, preferred_client_secret: undefined }
  assert.is(E.isRight(permitRegistration(registrant(held))(asking)), held.data)
})

it(
  'an update may keep what the client has, all of it or less, whatever it was allowed',
  [privileges(), effective, fc.boolean()],
  (held, current, less) => {
    assert.ok(E.isRight(permitUpdate(held, allPrivileges, current)(less ? without(current) : current)))
  },
)

it(
  'an update adds a grant type only where the registration was allowed it',
  [privileges(), effective, effective],
  (held, current, next) => {
    const kept = union(held, grantPrivilege(...current.grant_types))
    const within = permits(kept)(grantPrivilege(...next.grant_types))
    assert.is(E.isRight(permitUpdate(held, allPrivileges, current)(without(next))), within)
  },
)

it(
  'an update adds a scope value only where the registration was allowed it',
  [privileges(), effective, scopeToken()],
  (held, current, added) => {
    const had = (current.scope ?? '').split(' ').filter((value) => value !== '')
    const next = { ...current, scope: [...had, added].join(' ') }
    const within = had.includes(added) || permits(held)({ ...noPrivileges, scope: [added] })
    assert.is(E.isRight(permitUpdate(held, allPrivileges, current)(next)), within)
  },
)

it(
  'data may be kept but not altered without its privilege',
  [privileges(), effective, customData(), customData()],
  (held, current, one, other) => {
    const [had, next] = [validate({ data: one }).metadata.data, validate({ data: other }).metadata.data]
    if (had === undefined || next === undefined) return
    assert.ok(E.isRight(permitUpdate(held, allPrivileges, { ...current, data: had })({ ...current, data: had })))
    const altered = permitUpdate(held, allPrivileges, { ...current, data: had })({ ...current, data: next })
    assert.is(E.isRight(altered), held.data || JSON.stringify(had) === JSON.stringify(next))
  },
)

it('data may not be added without its privilege', [privileges(), effective, customData()], (held, current, sent) => {
  const { data } = validate({ data: sent }).metadata
  const metadata = without(current)
  if (data !== undefined)
    assert.is(E.isRight(permitUpdate(held, allPrivileges, metadata)({ ...metadata, data })), held.data)
})

it('the master token updates anything to anything', [effective, effective], (current, next) =>
  assert.equal(permitUpdate(allPrivileges, allPrivileges, current)(next), E.right(next)),
)

const saying = (held: Privileges, asking: Partial<Parameters<ReturnType<typeof permitRegistration>>[0]>): string => {
  const metadata = validate({ redirect_uris: ['https://rp.example/'] }).metadata
  const whole = { metadata, preferred_client_id: undefined, preferred_client_secret: undefined, ...asking }
  const refused = permitRegistration(registrant(held))(whole)
  return E.isLeft(refused) && refused.left.error === 'insufficient_scope' ? refused.left.error_description : 'permitted'
}

const code = grantPrivilege('authorization_code')
const asked = (members: object): ClientMetadata =>
  validate({ redirect_uris: ['https://rp.example/'], ...members }).metadata

PermitRegistration('the refusal names what is missing, and the scope values that would give it, and no other', () => {
  assert.is(saying(code, {}), 'permitted')
  assert.is(saying(noPrivileges, {}), 'grant_types: beyond what the token permits, needed: client-reg:grant:code')
  assert.is(
    saying(code, { metadata: asked({ scope: 'openid' }) }),
    'scope: beyond what the token permits, needed: client-reg:scope',
  )
  assert.is(
    saying(code, { metadata: asked({ data: {} }) }),
    'data: beyond what the token permits, needed: client-reg:data',
  )
  assert.is(
    saying(code, { preferred_client_secret: 's'.repeat(32) }),
    'preferred_client_secret: beyond what the token permits, needed: client-reg:set-secret',
  )
  const grant_types = ['authorization_code', 'refresh_token', 'urn:example:of-tomorrow']
  assert.is(
    saying({ ...noPrivileges, scope: 'any' }, { metadata: asked({ grant_types, scope: 'a b', data: {} }) }),
    'grant_types, data: beyond what the token permits, ' +
      'needed: client-reg:grant:code client-reg:grant:refresh client-reg client-reg:data',
  )
})

PermitRegistration('an update keeps its data, in whatever order its members are sent', () => {
  const current = asked({ data: { zone: 'eu', app: { a: 1, b: [1, 2] } } })
  const kept = [{ app: { b: [1, 2], a: 1 }, zone: 'eu' }, current.data]
  const changed = [{ app: { a: 1, b: [2, 1] }, zone: 'eu' }, { zone: 'eu' }, { ...current.data, more: 1 }]
  const permits = (data: unknown): boolean =>
    E.isRight(permitUpdate(noPrivileges, allPrivileges, current)(asked({ data })))
  for (const data of kept) assert.ok(permits(data), JSON.stringify(data))
  for (const data of changed) assert.not.ok(permits(data), JSON.stringify(data))
})

PermitRegistration.run()
