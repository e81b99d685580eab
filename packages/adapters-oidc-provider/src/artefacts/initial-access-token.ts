// Specification §5.1: an access token of the service registers a client, where its scope says so.
import { type Artefact, isRegistrationScopeValue, parseRegistrationScope } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { errors } from 'oidc-provider'
import { orThrow } from '../errors.js'
import type { EnginePorts } from '../ports.js'

export type InitialTokenPorts = Pick<EnginePorts, 'addInitialAccessToken' | 'removeInitialAccessToken' | 'now'>

/** The values of the scope that registration knows; others are of no concern to it. */
const registrationValues = (scope: unknown): string =>
  typeof scope === 'string' ? scope.split(' ').filter(isRegistrationScopeValue).join(' ') : ''

/** Makes the token good for one registration, too. */
export const addAsInitialAccessToken = async (
  { addInitialAccessToken, now }: InitialTokenPorts,
  { hash, client, expires_at, payload }: Artefact,
): Promise<void> => {
  const values = registrationValues(payload['scope'])
  if (values === '') return
  const scope = parseRegistrationScope(values)
  if (E.isLeft(scope)) return
  const token = { hash, expires_at, ...scope.right, ...(client === undefined ? {} : { owner: client }) }
  await orThrow(
    addInitialAccessToken(token, now()),
    () => new errors.InvalidClient('client is invalid', 'its registration has ended'),
  )
}
