import * as fc from 'fast-check'
import type * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  type Ceilings,
  type InitialAccessToken,
  type ManagementPrivileges,
  type PresentedCredential,
  type Privileges,
  type RegisteredBy,
  type Registrant,
  type RegistrationMode,
  type RegistrationScope,
  type TokenHash,
  addableBy,
  allPrivileges,
  authorizeOperator,
  authorizeRegistrant,
  ceilingOf,
  grantPrivilege,
  intersection,
  isNothing,
  missingPrivileges,
  neededScopeValues,
  noPrivileges,
  openPrivileges,
  parseManagementPrivileges,
  parseRegistrationScope,
  permits,
  permitsManagement,
  presentedToken,
  union,
  unionOf,
} from '@clientele/domain/authorization'
import type { ClientMetadata } from '@clientele/domain/client'
import type { EpochSeconds } from '@clientele/domain/kernel'
import {
  type AuthorizedClient,
  type RegisteredClient,
  type RegistrationRequest,
  authorizeConfiguration,
  permitRegistration,
  permitUpdate,
  requestedPrivileges,
} from '@clientele/domain/registration'
import { privileges, registrationScope, scopeToken } from '../arbitraries/privileges.js'
import { type Law, type Outcome, codeOf, isPermitted, lawsAbout, valueOf } from './law.js'

/**
 * The functions that the laws of authorization are about. Any function of the type can be checked, even if the domain's
 * own has a stricter type. Equal privileges are equal data: sets of values are sorted and without repetition.
 */
export type AuthorizationRules = {
  /** The order: requested ≤ granted. */
  readonly permits: (granted: Privileges) => (requested: Privileges) => boolean
  readonly isNothing: (privileges: Privileges) => boolean
  readonly missingPrivileges: (granted: Privileges) => (requested: Privileges) => Privileges
  readonly union: (one: Privileges, other: Privileges) => Privileges
  readonly unionOf: (all: ReadonlyArray<Privileges>) => Privileges
  readonly intersection: (one: Privileges, other: Privileges) => Privileges
  /** The privileges of the scope of an initial access token. */
  readonly parseRegistrationScope: (scope: unknown) => Outcome<RegistrationScope>
  readonly neededScopeValues: (missing: Privileges) => ReadonlyArray<string>
  /** The registrant and its privileges. */
  readonly openPrivileges: (mode: RegistrationMode) => Privileges
  readonly ceilingOf: (mode: RegistrationMode, ceilings: Ceilings, by: RegisteredBy) => Privileges
  readonly addableBy: (mode: RegistrationMode) => (by: RegisteredBy, recorded: Privileges) => Privileges
  readonly authorizeRegistrant: (
    mode: RegistrationMode,
    ceilings: Ceilings,
  ) => (credential: PresentedCredential, found: O.Option<InitialAccessToken>, now: EpochSeconds) => Outcome<Registrant>
  /** The privileges that a registration or an update may use. */
  readonly requestedPrivileges: (metadata: ClientMetadata) => Privileges
  readonly permitRegistration: (registrant: Registrant) => (request: RegistrationRequest) => Outcome<ClientMetadata>
  readonly permitUpdate: (
    granted: Privileges,
    ceiling: Privileges,
    current: ClientMetadata,
  ) => (next: ClientMetadata) => Outcome<ClientMetadata>
  /** Authorization to read, update and delete a client. */
  readonly authorizeConfiguration: (
    credential: PresentedCredential,
    found: O.Option<RegisteredClient>,
    at: EpochSeconds,
  ) => Outcome<AuthorizedClient>
  /** Authorization of the operator. */
  readonly presentedToken: (...masterTokens: ReadonlyArray<TokenHash>) => (hash: TokenHash) => PresentedCredential
  readonly authorizeOperator: (
    credential: PresentedCredential,
    countsElsewhere: boolean,
    needed: ManagementPrivileges,
  ) => Outcome<unknown>
  /** The privileges of operators; the order: needed ≤ granted. */
  readonly permitsManagement: (granted: ManagementPrivileges) => (needed: ManagementPrivileges) => boolean
  readonly parseManagementPrivileges: (scope: unknown) => O.Option<ManagementPrivileges>
}

/** The domain's own rules. To check a function of your own: `{ ...authorizationRules, permits: mine }`. */
export const authorizationRules: AuthorizationRules = {
  permits,
  isNothing,
  missingPrivileges,
  union,
  unionOf,
  intersection,
  parseRegistrationScope,
  neededScopeValues,
  openPrivileges,
  ceilingOf,
  addableBy,
  authorizeRegistrant,
  requestedPrivileges,
  permitRegistration,
  permitUpdate,
  authorizeConfiguration,
  presentedToken,
  authorizeOperator,
  permitsManagement,
  parseManagementPrivileges,
}

export type AuthorizationLaw = Law<AuthorizationRules>

export const { law, lawsOf } = lawsAbout(authorizationRules)

const any = privileges()
const privilegesAreALattice = 'docs/vocabulary.md (privileges)'

/** The order of privileges: requested ≤ granted. */
export const orderLaws: ReadonlyArray<AuthorizationLaw> = [
  ...lawsOf(privilegesAreALattice, {
    'order-is-adding-nothing': law(
      'granted privileges permit exactly the sets that add nothing to them',
      [any, any],
      ({ permits, union }, granted, all) => {
        const some = partByPart(all, noPrivileges)
        for (const requested of [...some, ...some.map((part) => union(granted, part))]) {
          const addsNothing = JSON.stringify(union(granted, requested)) === JSON.stringify(granted)
          assert.is(permits(granted)(requested), addsNothing)
        }
      },
    ),
  }),
  ...lawsOf('RFC 6750 §3.1', {
    'missing-nothing-is-permission': law(
      'no privileges are missing exactly when the request is permitted',
      [any, any],
      ({ permits, missingPrivileges, isNothing }, granted, all) => {
        for (const requested of partByPart(all, noPrivileges))
          assert.is(isNothing(missingPrivileges(granted)(requested)), permits(granted)(requested))
      },
    ),
    'missing-is-least': law(
      'the missing privileges are the least that permit the request',
      [any, any, any],
      ({ permits, union, missingPrivileges }, granted, requested, added) =>
        !permits(union(granted, added))(requested) || permits(added)(missingPrivileges(granted)(requested)),
    ),
  }),
]

const parts = ['grant_types', 'scope', 'data', 'preferred_client_id', 'preferred_client_secret'] as const

/** The privileges, and each part of them alone with the other parts as given: so that every part decides some cases. */
export const partByPart = (whole: Privileges, rest: Privileges): ReadonlyArray<Privileges> => [
  whole,
  ...parts.map((part) => ({ ...rest, [part]: whole[part] })),
]

const policyIsData = 'docs/decisions/registration-policy.md'

/** The union and the intersection of two sets of privileges. */
export const boundLaws: ReadonlyArray<AuthorizationLaw> = [
  ...lawsOf('RFC 6749 §3.3', {
    'union-of-many': law(
      'the union of many depends neither on their order nor on repetition, and lies between the empty set and all privileges',
      [any, any, any],
      ({ union, unionOf }, a, b, c) => {
        assert.equal(union(a, a), a)
        assert.equal(union(a, b), union(b, a))
        assert.equal(union(union(a, b), c), union(a, union(b, c)))
        assert.equal([unionOf([a, b, c]), unionOf([c, a, b])], [union(a, union(b, c)), union(a, union(b, c))])
        assert.equal([union(a, noPrivileges), union(a, allPrivileges)], [a, allPrivileges])
      },
    ),
  }),
  ...lawsOf(policyIsData, {
    'intersection-permits-what-both-permit': law(
      'the intersection permits exactly what both permit',
      [any, any, any],
      ({ intersection, permits }, one, other, all) => {
        for (const requested of partByPart(all, noPrivileges))
          assert.is(permits(intersection(one, other))(requested), permits(one)(requested) && permits(other)(requested))
      },
    ),
  }),
]

/** The privileges of each scope value, independent of the table under test. */
export const permittedByScopeValue: Readonly<Record<string, Privileges>> = {
  'client-reg': allPrivileges,
  'client-reg:grant:code': grantPrivilege('authorization_code'),
  'client-reg:grant:implicit': grantPrivilege('implicit'),
  'client-reg:grant:refresh': grantPrivilege('refresh_token'),
  'client-reg:grant:password': grantPrivilege('password'),
  'client-reg:grant:client': grantPrivilege('client_credentials'),
  'client-reg:grant:jwt': grantPrivilege('urn:ietf:params:oauth:grant-type:jwt-bearer'),
  'client-reg:grant:saml': grantPrivilege('urn:ietf:params:oauth:grant-type:saml2-bearer'),
  'client-reg:scope': { ...noPrivileges, scope: 'any' },
  'client-reg:scope:openid': { ...noPrivileges, scope: ['openid'] },
  'client-reg:data': { ...noPrivileges, data: true },
  'client-reg:set-id': { ...noPrivileges, preferred_client_id: true },
  'client-reg:set-secret': { ...noPrivileges, preferred_client_secret: true },
}

/** The grant types that scope values name. */
export const grantTypesByScopeValue: ReadonlyArray<string> = Object.values(permittedByScopeValue).flatMap(
  ({ grant_types }) => (grant_types === 'any' ? [] : grant_types),
)

const scope = registrationScope()
const oneToken = scopeToken()
const otherToken = scopeToken()
const scopeValues = 'specification §5.1'

const privilegesBy =
  ({ parseRegistrationScope }: AuthorizationRules) =>
  (text: string): Privileges =>
    valueOf(parseRegistrationScope(text)).privileges

const isNamed = (grantType: string): boolean => grantTypesByScopeValue.includes(grantType)

/** The privileges of the scope of an initial access token. */
export const registrationScopeLaws: ReadonlyArray<AuthorizationLaw> = [
  ...lawsOf(scopeValues, {
    'scope-value-permits-what-it-names': law(
      'each scope value grants exactly the privileges of the table',
      [fc.constantFrom(...Object.entries(permittedByScopeValue))],
      (rules, [value, permitted]) => assert.equal(privilegesBy(rules)(value), permitted),
    ),
    'appended-text-is-one-scope-value': law(
      'client-reg:scope: permits exactly the scope value that is appended',
      [oneToken, otherToken],
      (rules, value, other) => {
        const permits = rules.permits(privilegesBy(rules)(`client-reg:scope:${value}`))
        assert.is(permits({ ...noPrivileges, scope: [other] }), value === other)
        assert.not(permits({ ...noPrivileges, scope: 'any' }))
      },
    ),
  }),
  ...lawsOf('RFC 6749 §3.3', {
    'scope-values-add-up': law(
      'the privileges of a scope are the union of those of its values',
      [scope, scope],
      (rules, one, other) => {
        const privilegesOf = privilegesBy(rules)
        assert.equal(privilegesOf(`${one} ${other}`), rules.union(privilegesOf(one), privilegesOf(other)))
      },
    ),
    'scope-is-a-fixed-point': law(
      'a parsed scope parses again to the same',
      [scope],
      ({ parseRegistrationScope }, text) => {
        const parsed = parseRegistrationScope(text)
        assert.equal(parseRegistrationScope(valueOf(parsed).scope), parsed)
      },
    ),
  }),
  ...lawsOf('RFC 6749 §5.2', {
    'any-value-is-a-scope-or-refused': law(
      'every value is a scope or refused as invalid_scope; one unknown value, or one blank too many, is enough for it',
      [fc.oneof(fc.anything(), fc.string()), scope, oneToken, fc.constantFrom(' ', '\t', '\n')],
      ({ parseRegistrationScope }, input, known, token, blank) => {
        const parsed = parseRegistrationScope(input)
        for (const text of [`${blank}${known}`, `${known}${blank}`, `${known} ${blank}${known}`])
          assert.is(codeOf(parseRegistrationScope(text)), 'invalid_scope')
        if (isPermitted(parsed)) assert.type(input, 'string')
        else assert.is(codeOf(parsed), 'invalid_scope')
        assert.is(codeOf(parseRegistrationScope(`${known} unknown-${token}`)), 'invalid_scope')
      },
    ),
  }),
  ...lawsOf('RFC 6750 §3.1', {
    'needed-scope-suffices': law(
      'the needed scope values grant the missing privileges, and are known ones',
      [privileges()],
      (rules, missing) => {
        const needed = rules.neededScopeValues(missing)
        assert.ok(needed.every((value) => isPermitted(rules.parseRegistrationScope(value))))
        if (needed.length > 0) assert.ok(rules.permits(privilegesBy(rules)(needed.join(' ')))(missing))
        assert.is(needed.length === 0, rules.permits(noPrivileges)(missing))
      },
    ),
    'needed-scope-is-least': law(
      'each needed scope value grants a missing privilege, and a wide one is needed only if lesser ones do not suffice',
      [privileges()],
      (rules, missing) => {
        const needed = rules.neededScopeValues(missing)
        for (const value of needed)
          assert.not(rules.isNothing(rules.intersection(privilegesBy(rules)(value), missing)), value)
        const lesserWouldDo = missing.grant_types !== 'any' && missing.grant_types.every(isNamed)
        assert.is(needed.includes('client-reg'), !lesserWouldDo)
        assert.is(needed.includes('client-reg:scope'), missing.scope === 'any')
      },
    ),
  }),
]
