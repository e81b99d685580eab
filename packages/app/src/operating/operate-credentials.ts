// What commands do with credentials, each through the running service, or on the store when none runs: initial access tokens in
// force, the credentials of a client, and the encryption key that seals what is stored.
import {
  type InitialAccessTokenList,
  type SealedAnew,
  InitialAccessTokenDescription,
  listInitialAccessTokens,
  renewCredentials,
  revokeInitialAccessToken,
} from '@clientele/domain'
import { createTurns, timedPauses } from '@clientele/adapters-memory'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { registrationSettings } from '../wiring/http-settings.js'
import type { OpenedData } from '../data/open-data.js'
import { operate } from './operation.js'

const TokenListAnswer = t.type({ tokens: t.readonlyArray(InitialAccessTokenDescription), more: t.boolean })
const RenewedAnswer = t.intersection([
  t.type({ client_id: t.string, registration_access_token: t.string }),
  t.partial({ client_secret: t.string }),
])
const SealedAnswer = t.type({ sealed: t.number, unreadable: t.number })

/** Both credentials of a client, as they are from now on. */
export type RenewedCredentials = t.TypeOf<typeof RenewedAnswer>

// Only the operator learns that there is no such client, and the answer to it has no body.
const noSuchClient = 'no client has this id: GET /clients lists them'

const tokenPorts = ({ store, generator }: OpenedData) => ({
  ...store.registry,
  ...store.initialAccessTokens,
  ...generator,
})

/** The initial access tokens that could still register a client. */
export const listTokens = (config: Config): TE.TaskEither<string, InitialAccessTokenList> =>
  operate(config, {
    codec: TokenListAnswer,
    path: '/initial-access-tokens',
    onStore: (data) => listInitialAccessTokens(tokenPorts(data))(data.operator),
  })

/** The token of the id registers nothing any more. */
export const revokeToken = (config: Config, id: string): TE.TaskEither<string, null> =>
  operate(config, {
    codec: t.null,
    path: `/initial-access-tokens/${encodeURIComponent(id)}`,
    asking: { method: 'DELETE' },
    onStore: (data) =>
      pipe(
        revokeInitialAccessToken(tokenPorts(data))({ operator: data.operator, id }),
        TE.map(() => null),
      ),
  })

/** A new secret, where the client has one, and a new registration access token; those that it had count no more. */
export const renewClient = (config: Config, clientId: string): TE.TaskEither<string, RenewedCredentials> =>
  operate(config, {
    codec: RenewedAnswer,
    path: `/clients/${encodeURIComponent(clientId)}/renewal`,
    body: {},
    notFound: noSuchClient,
    onStore: (data) =>
      pipe(
        renewCredentials(registrationSettings(config, config['base-url'] ?? ''), {
          ...tokenPorts(data),
          ...createTurns(timedPauses),
        })({ operator: data.operator, clientId }),
        TE.mapLeft((refusal) =>
          refusal.error === 'unknown_client' ? { ...refusal, error_description: noSuchClient } : refusal,
        ),
      ),
  })

// A million rows take some minutes.
const sealingLimit = 3_600_000

/** Seals everything that is stored with the first of the encryption keys. */
export const sealAnew = (config: Config): TE.TaskEither<string, SealedAnew> =>
  operate(config, {
    codec: SealedAnswer,
    path: '/encryption/re-seal',
    body: {},
    asking: { timeLimit: sealingLimit },
    onStore: ({ store, operator }) => store.sealAnew(operator),
  })
