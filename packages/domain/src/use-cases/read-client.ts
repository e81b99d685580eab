import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type ConfigurationRefusal, authorizeConfiguration } from '../registration/authorize-configuration.js'
import type { PresentedCredential } from '../authorization/credential.js'
import { type ClientInformation, clientInformation } from '../registration/client-information.js'
import { type RegisteredClient, hasExpiredSecret, withGeneratedSecret } from '../registration/registered-client.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { ClientChanged, ClientRegistry } from '../ports/client-registry.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { Turns } from '../ports/turns.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'
import { serializeOnConflict } from './steps/serialize-on-conflict.js'
import { type FindNamedPorts, findNamedClient } from './steps/find-named-client.js'

/** RFC 7592 §2.1. The identifier is any string, as in the path. */
export type ReadClientRequest = {
  readonly credential: PresentedCredential
  readonly clientId: string
  /** RFC 9110 §9.2.1: a safe request whose answer cannot show a secret, such as HEAD, renews no expired secret. */
  readonly isSafe?: boolean
}

export type ReadClientError = ConfigurationRefusal | Unavailable

export type ReadClientPorts = FindNamedPorts &
  Pick<ClientRegistry, 'replaceClient'> &
  Pick<CredentialGenerator, 'now' | 'issue'> &
  Turns

export type ReadFacts = Pick<ReadClientRequest, 'credential' | 'isSafe'> & {
  readonly found: O.Option<RegisteredClient>
  readonly at: EpochSeconds
}

/** The stored client, and whether its secret is renewed before it is returned. */
export type DecidedRead = { readonly client: RegisteredClient; readonly renewsSecret: boolean }

export const decideRead = ({
  credential,
  found,
  at,
  isSafe = false,
}: ReadFacts): E.Either<ConfigurationRefusal, DecidedRead> =>
  pipe(
    authorizeConfiguration(credential, found),
    E.map(({ client }) => ({ client, renewsSecret: !isSafe && hasExpiredSecret(client, at) })),
  )

/** Of concurrent reads of an expired secret one renews it, and the others return the stored result. */
export const readClient = (
  settings: RegistrationSettings,
  ports: ReadClientPorts,
): ((request: ReadClientRequest) => TE.TaskEither<ReadClientError, ClientInformation>) => {
  const find = findNamedClient(ports)
  const informationOf = clientInformation(settings.registrationEndpoint)
  return (request) => {
    const { credential, clientId, isSafe = false } = request
    const read: TE.TaskEither<ReadClientError | ClientChanged, ClientInformation> = async () => {
      const found = await find(request)()
      if (E.isLeft(found)) return found
      const decided = decideRead({ credential, isSafe, found: found.right, at: ports.now() })
      if (E.isLeft(decided)) return decided
      const { client, renewsSecret } = decided.right
      if (!renewsSecret) return E.right(informationOf(client))
      const next = withGeneratedSecret(settings.credentials, ports.issue())(client)
      const replaced = await ports.replaceClient(next, client)()
      return E.isLeft(replaced) ? replaced : E.right(informationOf(next))
    }
    return serializeOnConflict(ports, `client ${clientId}`)(read)
  }
}
