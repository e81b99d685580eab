// The dry runs of a registration and of an update as doors.
import { previewRegistrationByCredential, previewUpdateByCredential } from '../by-credential.js'
import { unlimited } from '@clientele/domain/ports'
import { exampleOrigin } from '../examples/examples.js'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ReadStatement } from '@clientele/domain/client'
import { unaudited } from '@clientele/domain/operations'
import type { RegistrationSettings } from '@clientele/domain/registration'
import type { SentMetadata } from '../arbitraries/json-values.js'
import { only } from '../only.js'
import type { Door } from './door.js'
import { issued, operator, registered, verdictIn } from './facts-of-doors.js'

type PreviewPorts = Parameters<typeof previewRegistrationByCredential>[1] &
  Parameters<typeof previewUpdateByCredential>[1]

// The document at a sector_identifier_uri lists what the body registers.
const listing =
  (body: SentMetadata): PreviewPorts['fetchSectorIdentifier'] =>
  () =>
    TE.right([body['redirect_uris'], body['jwks_uri']].flat().filter((uri) => uri !== undefined))

/** They are use cases, and need ports: those of a service with one client, which reads this in all statements. */
export const dryRuns = (settings: RegistrationSettings, read: ReadStatement): ReadonlyArray<Door> => {
  const client = registered(settings)
  const portsFor = (body: SentMetadata): PreviewPorts =>
    only({
      ...unaudited,
      ...unlimited,
      issue: () => issued,
      now: () => issued.at,
      findClient: (id) => TE.right(id === client.client_id ? O.some(client) : O.none),
      readSoftwareStatement: () => async () => read,
      fetchSectorIdentifier: listing(body),
    })
  const requestOf = (body: SentMetadata) => ({ credential: operator, body: E.right(body) })
  return [
    {
      name: 'dry run of POST',
      judge: async (body) =>
        verdictIn(
          await previewRegistrationByCredential(
            settings,
            portsFor(body),
          )({ ...requestOf(body), origin: exampleOrigin })(),
        ),
    },
    {
      name: 'dry run of PUT',
      judge: async (body) => {
        const request = { ...requestOf(body), clientId: client.client_id }
        return verdictIn(
          await previewUpdateByCredential(settings, portsFor(body))({ ...request, origin: exampleOrigin })(),
        )
      },
    },
  ]
}
