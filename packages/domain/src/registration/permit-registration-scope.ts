// Specification §5.1: a client whose scope contains values of registration gets access tokens that register clients.
import * as E from 'fp-ts/lib/Either.js'
import { isRegistrationScopeValue } from '../authorization/registration-scope.js'
import type { ClientMetadata } from '../client/client-metadata.js'
import { spaceDelimitedValues } from '../codec/space-delimited.js'
import type { InsufficientScope } from '../errors.js'

const registrationValuesOf = ({ scope }: Pick<ClientMetadata, 'scope'>): ReadonlyArray<string> =>
  scope === undefined ? [] : spaceDelimitedValues(scope).filter(isRegistrationScopeValue)

const operatorOnly: InsufficientScope = {
  error: 'insufficient_scope',
  error_description:
    'scope: client-reg, and values that begin with client-reg:, need the master token, or an operator token with tokens, because such a client registers others',
}

/**
 * Only an operator adds such values, with the privilege `tokens`. No initial access token does, whatever its scope: its holder would gain privileges that
 * it does not have, for any number of clients. An update keeps those that the client has.
 */
export const permitRegistrationScope =
  (permitted: boolean, current: Pick<ClientMetadata, 'scope'> = {}) =>
  <Metadata extends Pick<ClientMetadata, 'scope'>>(next: Metadata): E.Either<InsufficientScope, Metadata> => {
    const present = registrationValuesOf(current)
    const adds = registrationValuesOf(next).some((value) => !present.includes(value))
    return adds && !permitted ? E.left(operatorOnly) : E.right(next)
  }
