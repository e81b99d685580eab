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
} from '@clientele/domain/authorization'
import type { RegistrationRequest } from '@clientele/domain/registration'
import { registrationRequest } from '../arbitraries/effective-metadata.js'
import { privileges } from '../arbitraries/privileges.js'
import { validate } from '../rule-book.js'
import { type AuthorizationLaw, authorizationLaw } from './authorization-rules.js'
import { codeOf, isPermitted, valueOf } from './outcome.js'
import { partByPart } from './part-by-part.js'

const granted = privileges()
const request = registrationRequest()
const registrant = (holding: Privileges, by: RegisteredBy = 'token'): Registrant => ({
  granted: holding,
  by,
  consumedToken: O.none,
})
const requestFor = (body: Readonly<Record<string, unknown>>): RegistrationRequest => ({
  metadata: validate(body).metadata,
  preferred_client_id: undefined,
  preferred_client_secret: undefined,
})

const permissionLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'metadata-asks-for-what-stands-there',
    'metadata requests the privileges for its grant types, scope values and data, and no others',
    'specification §5.1',
    [request],
    ({ requestedPrivileges }) =>
      ({ metadata }) =>
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
    ({ permitRegistration, requestedPrivileges, permits }) =>
      (some, asking) => {
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
    ({ permitRegistration }) =>
      (asking) =>
        assert.equal(valueOf(permitRegistration(registrant(allPrivileges))(asking)), asking.metadata),
  ),
  authorizationLaw(
    'more-privileges-never-permit-less-registration',
    'more privileges never cause the refusal of a registration',
    'RFC 6749 §3.3',
    [granted, granted, request],
    ({ permitRegistration, union }) =>
      (holding, more, asking) =>
        !isPermitted(permitRegistration(registrant(holding))(asking)) ||
        isPermitted(permitRegistration(registrant(union(holding, more)))(asking)),
  ),
  authorizationLaw(
    'default-is-asked-for',
    'a registration without grant_types requests its default',
    'RFC 7591 §2',
    [granted],
    ({ permitRegistration, permits }) =>
      (holding) =>
        assert.is(
          isPermitted(permitRegistration(registrant(holding))(requestFor({ redirect_uris: ['https://rp.example/'] }))),
          permits(holding)(grantPrivilege('authorization_code')),
        ),
  ),
  authorizationLaw(
    'data-needs-its-privilege',
    'data, even an empty object, needs its privilege',
    'specification §2.1',
    [granted, fc.constantFrom({}, { a: 1 })],
    ({ permitRegistration }) =>
      (holding, data) =>
        assert.is(
          isPermitted(permitRegistration(registrant(holding))(requestFor({ data, grant_types: [] }))),
          holding.data,
        ),
  ),
]

const refusalLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'anonymous-registrant-needs-a-token',
    'a registrant without a token is told to present one, and any other that the token is insufficient',
    'RFC 6750 §3.1',
    [granted, request],
    ({ permitRegistration }) =>
      (holding, asking) => {
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
    ({ permitRegistration }) =>
      (holding, asking) => {
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
