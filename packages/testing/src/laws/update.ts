import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { allPrivileges, grantPrivilege, noPrivileges } from '@clientele/domain/authorization'
import type { ClientMetadata } from '@clientele/domain/client'
import { customData } from '../arbitraries/client-metadata.js'
import { effectiveMetadata } from '../arbitraries/effective-metadata.js'
import { privileges } from '../arbitraries/privileges.js'
import { scopeToken } from '../arbitraries/registration-scope.js'
import { validate } from '../rule-book.js'
import { type AuthorizationLaw, authorizationLaw } from './authorization-rules.js'
import { isPermitted, valueOf } from './outcome.js'

const granted = privileges()
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
    ({ permitUpdate }) =>
      (holding, current, less) =>
        isPermitted(permitUpdate(holding, allPrivileges, current)(less ? without(current) : current)),
  ),
  authorizationLaw(
    'update-adds-no-grant-that-was-not-allowed',
    'an update adds a grant type only if the registration was granted it',
    noStepUp,
    [granted, metadata, metadata],
    ({ permitUpdate, permits, union }) =>
      (holding, current, next) => {
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
    ({ permitUpdate, permits }) =>
      (holding, current, added) => {
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
    ({ permitUpdate }) =>
      (holding, current, one, other) => {
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
    ({ permitUpdate }) =>
      (holding, current, sent) => {
        const { data } = validate({ data: sent }).metadata
        const had = without(current)
        if (data !== undefined)
          assert.is(isPermitted(permitUpdate(holding, allPrivileges, had)({ ...had, data })), holding.data)
      },
  ),
  authorizationLaw(
    'master-token-updates-anything',
    'the master token updates anything to anything',
    'specification §5.3',
    [metadata, metadata],
    ({ permitUpdate }) =>
      (current, next) =>
        assert.equal(valueOf(permitUpdate(allPrivileges, allPrivileges, current)(next)), next),
  ),
]
