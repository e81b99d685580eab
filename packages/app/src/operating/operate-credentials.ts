// Commands on credentials, through the running service or on the store when none runs: initial access tokens in force,
// and the credentials of a client.
import { ClientId } from '@clientele/domain/client'
import {
  type ChangedSuspension,
  type InitialAccessTokenList,
  InitialAccessTokenDescription,
  listInitialAccessTokens,
  renewCredentials,
  resumeClient,
  revokeInitialAccessToken,
  suspendClient,
} from '@clientele/domain/operations'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { commandOrigin } from '../audit/command-origin.js'
import type { Config } from '../config/settings.js'
import { registrationSettings } from '../wiring/http-settings.js'
import { noSuchClient, operate } from './operation.js'
import { portsOf } from '../data/operation-ports.js'

const TokenListAnswer = t.type({ tokens: t.readonlyArray(InitialAccessTokenDescription), more: t.boolean })
const RenewedAnswer = t.intersection([
  t.type({ client_id: t.string, registration_access_token: t.string }),
  t.partial({ client_secret: t.string }),
])
const SuspensionAnswer = t.type({ client_id: ClientId, unchanged: t.boolean })

/** Both credentials of a client after the renewal. */
export type RenewedCredentials = t.TypeOf<typeof RenewedAnswer>

/** The initial access tokens that can still register a client. */
export const listTokens = (config: Config): TE.TaskEither<string, InitialAccessTokenList> =>
  operate(config, {
    codec: TokenListAnswer,
    path: '/initial-access-tokens',
    onStore: (data) => listInitialAccessTokens(portsOf(config, data))(data.operator),
  })

/** Revokes the token of the id: it registers no client any more. */
export const revokeToken = (config: Config, id: string): TE.TaskEither<string, null> =>
  operate(config, {
    codec: t.null,
    path: `/initial-access-tokens/${encodeURIComponent(id)}`,
    asking: { method: 'DELETE' },
    onStore: (data) =>
      pipe(
        revokeInitialAccessToken(portsOf(config, data))({ operator: data.operator, id, origin: commandOrigin() }),
        TE.map(() => null),
      ),
  })

/** A new secret, if the client has one, and a new registration access token; the previous ones are invalid. */
export const renewClient = (config: Config, clientId: string): TE.TaskEither<string, RenewedCredentials> =>
  operate(config, {
    codec: RenewedAnswer,
    path: `/clients/${encodeURIComponent(clientId)}/renewal`,
    body: {},
    notFound: noSuchClient,
    onStore: (data) =>
      renewCredentials(
        registrationSettings(config, config['base-url'] ?? ''),
        portsOf(config, data),
      )({ operator: data.operator, clientId, origin: commandOrigin() }),
  })

const suspensionOf = (
  config: Config,
  clientId: string,
  method: 'POST' | 'DELETE',
  change: typeof suspendClient,
): TE.TaskEither<string, ChangedSuspension> =>
  operate(config, {
    codec: SuspensionAnswer,
    path: `/clients/${encodeURIComponent(clientId)}/suspension`,
    asking: { method },
    notFound: noSuchClient,
    onStore: (data) =>
      change(portsOf(config, data))({
        operator: data.operator,
        clientId,
        origin: commandOrigin(),
      }),
  })

/** Every door refuses the client from then on. */
export const suspend = (config: Config, clientId: string): TE.TaskEither<string, ChangedSuspension> =>
  suspensionOf(config, clientId, 'POST', suspendClient)

/** The client is in force again. */
export const resume = (config: Config, clientId: string): TE.TaskEither<string, ChangedSuspension> =>
  suspensionOf(config, clientId, 'DELETE', resumeClient)
