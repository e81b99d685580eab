import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  type InitialAccessToken,
  type PresentedCredential,
  type Privileges,
  type RegisteredBy,
  type Registrant,
  allPrivileges,
  grantPrivilege,
  noPrivileges,
} from '@clientele/domain/authorization'
import type { ClientMetadata } from '@clientele/domain/client'
import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { noCeilings } from '@clientele/domain/policy'
import { epochSecond, initialAccessToken, presentedCredential, tokenHash } from '../arbitraries/credentials.js'
import { customData } from '../arbitraries/json-values.js'
import { ceilings, privileges, scopeToken, scopeValues } from '../arbitraries/privileges.js'
import {
  effectiveMetadata,
  issued,
  presenting,
  registrationMode,
  registrationRequest,
} from '../arbitraries/registration.js'
import { validate } from '../rule-book.js'
import { codeOf, isPermitted, valueOf } from './law.js'
import { type AuthorizationLaw, law, lawsOf, partByPart } from './privilege-laws.js'

const managed = { kind: 'managed' } as const
const mode = registrationMode()
const now = epochSecond()
const hash = tokenHash()
const openMode = fc.subarray([...scopeValues]).map((scope) => ({ kind: 'open' as const, scope }))
const maybeToken = fc.option(initialAccessToken()).map(O.fromNullable)
const inForce = initialAccessToken()
const before = (token: InitialAccessToken): EpochSeconds => secondsAfter(token.expires_at, -1)
const by = (token: Pick<InitialAccessToken, 'hash'>): PresentedCredential => ({ kind: 'token', hash: token.hash })

/** What the registrant may have, and by which authority: what bounds it beside is for the texts of refusals. */
const privilegesOf = ({ granted, consumedToken, by: authority }: Registrant): Omit<Registrant, 'ceiling'> => ({
  granted,
  consumedToken,
  by: authority,
})

const policyIsData = 'docs/decisions/registration-policy.md'

/** The registrant and its privileges. */
export const registrantLaws: ReadonlyArray<AuthorizationLaw> = [
  ...lawsOf('specification §4.1', {
    'managed-registration-needs-a-token': law(
      'managed registration without a token is always refused for the missing token',
      [now, maybeToken],
      ({ authorizeRegistrant }, at, found) =>
        assert.is(codeOf(authorizeRegistrant(managed, noCeilings)({ kind: 'none' }, found, at)), 'missing_token'),
    ),
    'open-registration-gives-three-grants': law(
      'open registration without a token permits exactly the three grants and the open scope values',
      [openMode, now],
      ({ authorizeRegistrant, union }, open, at) => {
        const three = grantPrivilege('authorization_code', 'implicit', 'refresh_token')
        const granted = union(three, { ...noPrivileges, scope: [...open.scope].sort() })
        assert.equal(privilegesOf(valueOf(authorizeRegistrant(open, noCeilings)({ kind: 'none' }, O.none, at))), {
          granted,
          consumedToken: O.none,
          by: 'nobody',
        })
      },
    ),
  }),
  ...lawsOf('RFC 6750 §3.1', {
    'bad-credential-is-not-anonymous': law(
      'an unusable credential, and a token that is unknown, expired or of another hash, is refused, not treated as absent',
      [mode, inForce, hash, fc.nat(100_000)],
      ({ authorizeRegistrant }, any, token, other, later) => {
        const authorize = authorizeRegistrant(any, noCeilings)
        for (const refused of [
          authorize({ kind: 'unusable' }, O.none, before(token)),
          authorize({ kind: 'unusable' }, O.some(token), before(token)),
          authorize(by({ hash: other }), O.none, before(token)),
          authorize(by({ hash: other }), O.some(token), before(token)),
          authorize(by(token), O.some(token), token.expires_at),
          authorize(by(token), O.some(token), secondsAfter(token.expires_at, later)),
        ])
          assert.is(codeOf(refused), 'invalid_token')
      },
    ),
  }),
  ...lawsOf('specification §5.1', {
    'token-adds-to-open-registration': law(
      'a token in force adds to the privileges of open registration, and is the one that is consumed',
      [mode, inForce],
      ({ authorizeRegistrant, openPrivileges, union }, any, token) =>
        assert.equal(
          privilegesOf(valueOf(authorizeRegistrant(any, noCeilings)(by(token), O.some(token), before(token)))),
          { granted: union(openPrivileges(any), token.privileges), consumedToken: O.some(token.hash), by: 'token' },
        ),
    ),
    'master-token-holds-everything': law(
      'the master token has all privileges whatever the ceilings, and consumes no token',
      [mode, ceilings(), now, maybeToken],
      ({ authorizeRegistrant, ceilingOf }, any, both, at, found) => {
        assert.equal(valueOf(authorizeRegistrant(any, both)({ kind: 'master' }, found, at)), {
          granted: allPrivileges,
          consumedToken: O.none,
          by: 'master',
        })
        assert.equal(ceilingOf(any, both, 'master'), allPrivileges)
      },
    ),
  }),
  ...lawsOf(policyIsData, {
    'whose-word-is-told': law(
      'the decision names the authority for the registration',
      [mode, now, presentedCredential(), maybeToken],
      ({ authorizeRegistrant }, any, at, credential, found) => {
        const authorized = authorizeRegistrant(any, noCeilings)(credential, found, at)
        const kinds = { none: 'nobody', unusable: 'nobody', store: 'master' } as const
        const by = credential.kind in kinds ? kinds[credential.kind as keyof typeof kinds] : credential.kind
        if (isPermitted(authorized)) assert.is(valueOf(authorized).by, by)
      },
    ),
  }),
]

const any = privileges()
const metadata = effectiveMetadata()

/** The ceilings of privileges. */
export const ceilingLaws: ReadonlyArray<AuthorizationLaw> = [
  ...lawsOf(policyIsData, {
    'ceiling-bounds-what-is-held': law(
      'ceilings never increase privileges, and no registrant exceeds them',
      [registrationMode(), ceilings(), initialAccessToken(), issued(), fc.boolean()],
      ({ authorizeRegistrant, permits, ceilingOf }, mode, both, token, generated, withToken) => {
        const facts = presenting(token, generated, {})
        const credential = withToken ? facts.credential : ({ kind: 'none' } as const)
        const under = authorizeRegistrant(mode, both)(credential, facts.token, generated.at)
        const free = authorizeRegistrant(mode, noCeilings)(credential, facts.token, generated.at)
        assert.is(codeOf(under), codeOf(free))
        if (!isPermitted(under)) return
        const { granted, by } = valueOf(under)
        assert.ok(permits(valueOf(free).granted)(granted))
        assert.ok(permits(ceilingOf(mode, both, by))(granted))
      },
    ),
    'nothing-is-kept-above-the-ceiling': law(
      'an update cannot retain present values that exceed the ceiling',
      [fc.constantFrom('implicit', 'password'), any],
      ({ permitUpdate }, grant, granted) => {
        const current = { ...validate({ grant_types: [] }).metadata, grant_types: [grant] }
        const ceiling = { ...allPrivileges, grant_types: ['authorization_code'] }
        assert.is(codeOf(permitUpdate(granted, ceiling, current)(current)), 'insufficient_scope')
      },
    ),
    'update-adds-nothing-that-registration-would-not': law(
      'an update by the client cannot add privileges that no registration can get with any token at present',
      [
        registrationMode(),
        ceilings(),
        fc.constantFrom('nobody', 'token'),
        any,
        metadata,
        metadata,
        initialAccessToken(),
      ],
      (rules, mode, both, by, recorded, current, next, token) => {
        const may = rules.addableBy(mode)(by, recorded)
        if (!isPermitted(rules.permitUpdate(may, rules.ceilingOf(mode, both, by), current)(next))) return
        const had = {
          ...rules.requestedPrivileges(current),
          data: JSON.stringify(current.data) === JSON.stringify(next.data),
        }
        const added = rules.missingPrivileges(had)(rules.requestedPrivileges(next))
        const credential = by === 'token' ? { kind: by, hash: token.hash } : ({ kind: 'none' } as const)
        const found = O.some({ ...token, privileges: allPrivileges })
        const today = rules.authorizeRegistrant(mode, both)(credential, found, secondsAfter(token.expires_at, -1))
        assert.ok(rules.permits(isPermitted(today) ? valueOf(today).granted : noPrivileges)(added))
      },
    ),
  }),
]

const granted = privileges()
const request = registrationRequest()
const registrant = (holding: Privileges, by: RegisteredBy = 'token'): Registrant => ({
  granted: holding,
  by,
  consumedToken: O.none,
})

/** The privileges that a registration needs. */
export const registrationLaws: ReadonlyArray<AuthorizationLaw> = [
  ...lawsOf('specification §5.1', {
    'metadata-asks-for-what-stands-there': law(
      'metadata requests the privileges for its grant types, scope values and data, and no others',
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
    'registration-is-within-what-is-held': law(
      'a registration is permitted exactly when its requested privileges are granted',
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
  }),
  ...lawsOf('RFC 7591 §3.2.1', {
    'registration-permits-what-was-asked': law(
      'the permitted metadata is the requested metadata',
      [request],
      ({ permitRegistration }, asking) =>
        assert.equal(valueOf(permitRegistration(registrant(allPrivileges))(asking)), asking.metadata),
    ),
  }),
  ...lawsOf('RFC 6750 §3.1', {
    'anonymous-registrant-needs-a-token': law(
      'a registrant without a token is told to present one, and any other that the token is insufficient',
      [granted, request],
      ({ permitRegistration }, holding, asking) => {
        const reported = (by: RegisteredBy): string => codeOf(permitRegistration(registrant(holding, by))(asking))
        if (reported('nobody') === 'permitted') assert.is(reported('token'), 'permitted')
        else assert.equal([reported('nobody'), reported('token')], ['missing_token', 'insufficient_scope'])
      },
    ),
  }),
  ...lawsOf('RFC 6750 §3', {
    'refusal-fits-a-header': law(
      'a refusal is printable ASCII without quote or backslash, and contains nothing of the request but values of scope',
      [granted, request, fc.integer({ min: 1, max: 2_000 })],
      ({ permitRegistration }, holding, asking, length) => {
        const metadata = {
          ...asking.metadata,
          grant_types: [...asking.metadata.grant_types, 'distinct-grant'],
          scope: `distinct-scope ${'x'.repeat(length)}`,
        }
        const refused = permitRegistration(registrant(holding))({ ...asking, metadata })
        if (E.isRight(refused) || refused.left.error_description === undefined) return
        assert.match(refused.left.error_description, /^[\x20\x21\x23-\x5B\x5D-\x7E]{1,800}$/)
        assert.not.match(refused.left.error_description, /distinct-grant/)
      },
    ),
  }),
]

const without = (given: ClientMetadata): ClientMetadata =>
  validate(Object.fromEntries(Object.entries(given).filter(([name]) => !['data', 'scope'].includes(name)))).metadata

/** The privileges that an update may use, without a ceiling. */
export const updateLaws: ReadonlyArray<AuthorizationLaw> = lawsOf(policyIsData, {
  'update-adds-only-what-was-allowed': law(
    'an update keeps present values or fewer, and adds a grant type or scope value only if the registration was granted it',
    [granted, metadata, metadata, scopeToken()],
    ({ permitUpdate, permits }, holding, current, other, added) => {
      const update = permitUpdate(holding, allPrivileges, current)
      assert.ok(isPermitted(update(current)) && isPermitted(update(without(current))))
      const grants = other.grant_types.filter((grant) => !current.grant_types.includes(grant))
      const withGrants = { ...without(current), grant_types: other.grant_types }
      assert.is(isPermitted(update(withGrants)), permits(holding)(grantPrivilege(...grants)))
      const had = (current.scope ?? '').split(' ').filter((value) => value !== '')
      const isAllowed = had.includes(added) || permits(holding)({ ...noPrivileges, scope: [added] })
      assert.is(isPermitted(update({ ...current, scope: [...had, added].join(' ') })), isAllowed)
    },
  ),
  'update-keeps-data-but-does-not-alter-it': law(
    'without its privilege, data may be retained, but neither altered nor added',
    [granted, metadata, customData(), customData()],
    ({ permitUpdate }, holding, current, one, other) => {
      const had = validate({ data: one }).metadata.data
      const data = validate({ data: other }).metadata.data
      if (had === undefined || data === undefined) return
      const mayUpdate = (from: ClientMetadata, to: ClientMetadata): boolean =>
        isPermitted(permitUpdate(holding, allPrivileges, from)(to))
      const withData = { ...current, data: had }
      assert.ok(mayUpdate(withData, withData))
      assert.is(mayUpdate(withData, { ...current, data }), holding.data || JSON.stringify(had) === JSON.stringify(data))
      assert.is(mayUpdate(without(current), { ...without(current), data }), holding.data)
    },
  ),
})
