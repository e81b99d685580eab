import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  type Privileges,
  type RegisteredBy,
  type Registrant,
  allPrivileges,
  grantPrivilege,
  noPrivileges,
} from '@clientele/domain/authorization'
import type { ClientMetadata } from '@clientele/domain/client'
import { customData } from '../arbitraries/client-metadata.js'
import { privileges, scopeToken } from '../arbitraries/privileges.js'
import { effectiveMetadata, registrationRequest } from '../arbitraries/registration.js'
import { type AuthorizationLaw, authorizationLaw } from './authorization-rules.js'
import { codeOf, isPermitted, valueOf } from './law.js'
import { partByPart } from './privileges.js'
import { validate } from '../rule-book.js'

const granted = privileges()
const request = registrationRequest()
const registrant = (holding: Privileges, by: RegisteredBy = 'token'): Registrant => ({
  granted: holding,
  by,
  consumedToken: O.none,
})

const permissionLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'metadata-asks-for-what-stands-there',
    'metadata requests the privileges for its grant types, scope values and data, and no others',
    'specification §5.1',
    [request],
    ({ requestedPrivileges }, { metadata }) =>
      assert.equal(requestedPrivileges(metadata), {
        grant_types: [...metadata.grant_types].sort(),
        scope: [...new Set(metadata.scope?.split(' '))].sort(),
        data: metadata.data !== undefined,
        preferred_client_id: false,
        preferred_client_secret: false,
      }),
  ),
  authorizationLaw(
    'registration-is-within-what-is-held',
    'a registration is permitted exactly when its requested privileges are granted',
    'specification §5.1',
    [granted, request],
    ({ permitRegistration, requestedPrivileges, permits }, some, asking) => {
      const requested = {
        ...requestedPrivileges(asking.metadata),
        preferred_client_id: asking.preferred_client_id !== undefined,
        preferred_client_secret: asking.preferred_client_secret !== undefined,
      }
      for (const holding of partByPart(some, allPrivileges))
        assert.is(isPermitted(permitRegistration(registrant(holding))(asking)), permits(holding)(requested))
    },
  ),
  authorizationLaw(
    'registration-permits-what-was-asked',
    'the permitted metadata is the requested metadata',
    'RFC 7591 §3.2.1',
    [request],
    ({ permitRegistration }, asking) =>
      assert.equal(valueOf(permitRegistration(registrant(allPrivileges))(asking)), asking.metadata),
  ),
]

const refusalLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'anonymous-registrant-needs-a-token',
    'a registrant without a token is told to present one, and any other that the token is insufficient',
    'RFC 6750 §3.1',
    [granted, request],
    ({ permitRegistration }, holding, asking) => {
      const reported = (by: RegisteredBy): string => codeOf(permitRegistration(registrant(holding, by))(asking))
      if (reported('nobody') === 'permitted') assert.is(reported('token'), 'permitted')
      else assert.equal([reported('nobody'), reported('token')], ['missing_token', 'insufficient_scope'])
    },
  ),
  authorizationLaw(
    'refusal-fits-a-header',
    'a refusal is printable ASCII without quote or backslash, and contains nothing of the request',
    'RFC 6750 §3',
    [granted, request],
    ({ permitRegistration }, holding, asking) => {
      const metadata = {
        ...asking.metadata,
        grant_types: [...asking.metadata.grant_types, 'distinct-grant'],
        scope: 'distinct-scope',
      }
      const refused = permitRegistration(registrant(holding))({ ...asking, metadata })
      if (E.isRight(refused) || refused.left.error_description === undefined) return
      assert.match(refused.left.error_description, /^[\x20\x21\x23-\x5B\x5D-\x7E]{1,600}$/)
      assert.not.match(refused.left.error_description, /distinct/)
    },
  ),
]

/** The privileges that a registration needs. */
export const registrationLaws: ReadonlyArray<AuthorizationLaw> = [...permissionLaws, ...refusalLaws]

const metadata = effectiveMetadata()
const noStepUp = 'docs/decisions/0010-an-update-keeps-what-the-client-has.md'

const without = (given: ClientMetadata): ClientMetadata =>
  validate(Object.fromEntries(Object.entries(given).filter(([name]) => !['data', 'scope'].includes(name)))).metadata

/** The privileges that an update may use, without a ceiling. */
export const updateLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'update-keeps-what-the-client-has',
    'an update may retain all present values of the client or fewer, whatever its registration was granted',
    noStepUp,
    [granted, metadata, fc.boolean()],
    ({ permitUpdate }, holding, current, less) =>
      isPermitted(permitUpdate(holding, allPrivileges, current)(less ? without(current) : current)),
  ),
  authorizationLaw(
    'update-adds-no-grant-that-was-not-allowed',
    'an update adds a grant type only if the registration was granted it',
    noStepUp,
    [granted, metadata, metadata],
    ({ permitUpdate, permits, union }, holding, current, next) => {
      const stored = union(holding, grantPrivilege(...current.grant_types))
      const withTimeout = permits(stored)(grantPrivilege(...next.grant_types))
      assert.is(isPermitted(permitUpdate(holding, allPrivileges, current)(without(next))), withTimeout)
    },
  ),
  authorizationLaw(
    'update-adds-no-scope-that-was-not-allowed',
    'an update adds a scope value only if the registration was granted it',
    noStepUp,
    [granted, metadata, scopeToken()],
    ({ permitUpdate, permits }, holding, current, added) => {
      const had = (current.scope ?? '').split(' ').filter((value) => value !== '')
      const next = { ...current, scope: [...had, added].join(' ') }
      const withTimeout = had.includes(added) || permits(holding)({ ...noPrivileges, scope: [added] })
      assert.is(isPermitted(permitUpdate(holding, allPrivileges, current)(next)), withTimeout)
    },
  ),
  authorizationLaw(
    'update-keeps-data-but-does-not-alter-it',
    'without its privilege, data may be retained but not altered',
    noStepUp,
    [granted, metadata, customData(), customData()],
    ({ permitUpdate }, holding, current, one, other) => {
      const had = validate({ data: one }).metadata.data
      const next = validate({ data: other }).metadata.data
      if (had === undefined || next === undefined) return
      const update = permitUpdate(holding, allPrivileges, { ...current, data: had })
      assert.ok(isPermitted(update({ ...current, data: had })))
      assert.is(
        isPermitted(update({ ...current, data: next })),
        holding.data || JSON.stringify(had) === JSON.stringify(next),
      )
    },
  ),
  authorizationLaw(
    'update-adds-no-data-without-its-privilege',
    'without its privilege, data may not be added',
    noStepUp,
    [granted, metadata, customData()],
    ({ permitUpdate }, holding, current, sent) => {
      const { data } = validate({ data: sent }).metadata
      const had = without(current)
      if (data !== undefined)
        assert.is(isPermitted(permitUpdate(holding, allPrivileges, had)({ ...had, data })), holding.data)
    },
  ),
]
