// Commands on credentials, through the running service or on the store when none runs: initial access tokens in force,
// and the credentials of a client.
import { ClientId } from '@clientele/domain/client'
import {
  type ChangedSuspension,
  type InitialAccessTokenList,
  InitialAccessTokenDescription,
} from '@clientele/domain/operations'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { noSuchClient, operate } from './operation.js'

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
  })

/** Revokes the token of the id: it registers no client any more. */
export const revokeToken = (config: Config, id: string): TE.TaskEither<string, null> =>
  operate(config, {
    codec: t.null,
    path: `/initial-access-tokens/${encodeURIComponent(id)}`,
    asking: { method: 'DELETE' },
  })

/** A new secret, if the client has one, and a new registration access token; the previous ones are invalid. */
export const renewClient = (config: Config, clientId: string): TE.TaskEither<string, RenewedCredentials> =>
  operate(config, {
    codec: RenewedAnswer,
    path: `/clients/${encodeURIComponent(clientId)}/renewal`,
    body: {},
    notFound: noSuchClient,
  })

const suspensionOf = (
  config: Config,
  clientId: string,
  method: 'POST' | 'DELETE',
): TE.TaskEither<string, ChangedSuspension> =>
  operate(config, {
    codec: SuspensionAnswer,
    path: `/clients/${encodeURIComponent(clientId)}/suspension`,
    asking: { method },
    notFound: noSuchClient,
  })

/** Every door refuses the client from then on. */
export const suspend = (config: Config, clientId: string): TE.TaskEither<string, ChangedSuspension> =>
  suspensionOf(config, clientId, 'POST')

/** The client is in force again. */
export const resume = (config: Config, clientId: string): TE.TaskEither<string, ChangedSuspension> =>
  suspensionOf(config, clientId, 'DELETE')
