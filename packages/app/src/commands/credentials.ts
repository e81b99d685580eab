// clientele token … and clients …: management of leaked or outdated credentials by operators.
import { ClientId } from '@clientele/domain/client'
import {
  type ChangedSuspension,
  type InitialAccessTokenList,
  InitialAccessTokenDescription,
  type InitialAccessTokenResponse,
} from '@clientele/domain/operations'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { noSuchClient, operate } from '../manage/manage.js'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { json, type Command } from './command.js'
import { scopeFault } from './scope-fault.js'
import { refuse, show } from './show.js'
import type { ExitStatus, Terminal } from './terminal.js'
import { answering, withSettings } from './with-settings.js'
import { printable, isoTime } from '../text.js'
import { changeOptions, oneOrSelected } from './change-clients.js'
import { issuerTextOf, lifetimeText } from './issuer-texts.js'

const TokenListAnswer = t.type({ tokens: t.readonlyArray(InitialAccessTokenDescription), more: t.boolean })
const RenewedAnswer = t.intersection([
  t.type({ client_id: t.string, registration_access_token: t.string }),
  t.partial({ client_secret: t.string }),
])
const SuspensionAnswer = t.type({ client_id: ClientId, unchanged: t.boolean })

/** Both credentials of a client after the renewal. */
type RenewedCredentials = t.TypeOf<typeof RenewedAnswer>

/** The initial access tokens that can still register a client. */
const listTokens = (config: Config): TE.TaskEither<string, InitialAccessTokenList> =>
  operate(config, {
    codec: TokenListAnswer,
    path: '/initial-access-tokens',
  })

/** Revokes the token of the id: it registers no client any more. */
const revokeToken = (config: Config, id: string): TE.TaskEither<string, null> =>
  operate(config, {
    codec: t.null,
    path: `/initial-access-tokens/${encodeURIComponent(id)}`,
    asking: { method: 'DELETE' },
    notFound: 'no initial access token has this id: clientele token list lists them',
  })

/** A new secret, if the client has one, and a new registration access token; the previous ones are invalid. */
const renewClient = (config: Config, clientId: string): TE.TaskEither<string, RenewedCredentials> =>
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
const suspend = (config: Config, clientId: string): TE.TaskEither<string, ChangedSuspension> =>
  suspensionOf(config, clientId, 'POST')

/** The client is in force again. */
const resume = (config: Config, clientId: string): TE.TaskEither<string, ChangedSuspension> =>
  suspensionOf(config, clientId, 'DELETE')

type TokenRequest = { readonly scope: string; readonly lifetime?: number }

const IssuedToken = t.type({
  access_token: t.string,
  token_type: t.literal('Bearer'),
  expires_in: t.number,
  scope: t.string,
  id: t.string,
})

/** An initial access token, as from POST /direct-authz. */
export const issueToken = (config: Config, body: TokenRequest): TE.TaskEither<string, InitialAccessTokenResponse> =>
  operate(config, {
    path: '/direct-authz',
    body,
    codec: IssuedToken,
  })

const print = ({ output, errors }: Terminal, issued: InitialAccessTokenResponse, json: boolean): ExitStatus => {
  output.write(json ? `${JSON.stringify(issued)}\n` : `${issued.access_token}\n`)
  if (!json)
    errors.write(`Registers one client within ${issued.expires_in} seconds. Scope: ${issued.scope}. Id: ${issued.id}\n`)
  return 0
}

const isWholeNumber = (text: string | undefined): boolean => text === undefined || /^\d{1,12}$/.test(text)

const issue = withSettings(async ({ config }, terminal, { flags, switches }) => {
  const { scope = '', lifetime } = flags
  const fault = scopeFault(scope)
  if (fault !== undefined) return refuse(terminal, fault, 2)
  if (!isWholeNumber(lifetime)) return refuse(terminal, '--lifetime must be a whole number of seconds', 2)
  const request = { scope, ...(lifetime === undefined ? {} : { lifetime: Number(lifetime) }) }
  return pipe(
    await issueToken(config, request)(),
    E.match(
      (message) => refuse(terminal, message, 1),
      (issued) => print(terminal, issued, switches.includes('json')),
    ),
  )
})

export const tokenIssueCommand: Command = {
  name: 'token issue',
  summary: 'issue an initial access token, by which one client may register',
  options: [
    { name: 'scope', value: 'SCOPE', description: 'what the client may ask for, such as client-reg', required: true },
    { name: 'lifetime', value: 'SECONDS', description: 'until it expires; else initial-access-token-lifetime counts' },
    json,
  ],
  example: 'clientele token issue --scope "client-reg:grant:code client-reg:data" --lifetime 600',
  run: issue,
}

const tokenText = ({ id, scope, expires_at, expires_in, issued_by }: InitialAccessTokenDescription): string => {
  const issuer = issued_by === undefined ? '' : `, issued by ${issuerTextOf(issued_by)}`
  return `${id}\n  ${printable(scope)}\n  ${lifetimeText(expires_in)}, until ${isoTime(expires_at)}${issuer}`
}

const tokenListText = ({ tokens, more }: InitialAccessTokenList): string =>
  tokens.length === 0
    ? 'No initial access token is in force'
    : [
        ...tokens.map(tokenText),
        ...(more ? [`There are more: these are the first ${tokens.length} to expire`] : []),
      ].join('\n')

const tokenList = answering(listTokens, tokenListText)

const tokenRevoke = withSettings(({ config }, terminal, { operand = '' }) =>
  show(terminal, revokeToken(config, operand), () => 'The token registers no client any more'),
)

const renewedText = ({ client_id, client_secret, registration_access_token }: RenewedCredentials): string =>
  [
    `client_id                  ${printable(client_id)}`,
    ...(client_secret === undefined ? [] : [`client_secret              ${printable(client_secret)}`]),
    `registration_access_token  ${printable(registration_access_token)}`,
  ].join('\n')

const clientsRenew = answering((config, { operand = '' }) => renewClient(config, operand), renewedText)

const clientsSuspend = withSettings(({ config }, terminal, { operand = '' }) =>
  show(terminal, suspend(config, operand), ({ unchanged }) =>
    unchanged
      ? 'The client was suspended before'
      : 'The client is suspended: it gets no tokens, and those that it has are without effect until it is resumed',
  ),
)

const clientsResume = withSettings(({ config }, terminal, { operand = '' }) =>
  show(terminal, resume(config, operand), ({ unchanged }) =>
    unchanged ? 'The client was not suspended' : 'The client is in force again, with its tokens that have not expired',
  ),
)

export const credentialCommands: ReadonlyArray<Command> = [
  {
    name: 'token list',
    summary: 'show the initial access tokens that could still register a client, by their ids',
    options: [json],
    example: 'clientele token list',
    run: tokenList,
  },
  {
    name: 'token revoke',
    summary: 'take an initial access token back before it is spent',
    operand: { name: 'ID', description: 'the id that clientele token list shows' },
    example: 'clientele token revoke kQ0mW5lqk3TzUeJrM2vXo8yHc1bNd4fGs6aPi7wEtR9',
    run: tokenRevoke,
  },
  {
    name: 'clients renew',
    summary: 'give a client new credentials: those that it had count no more',
    operand: { name: 'CLIENT_ID', description: 'the client_id of the client' },
    options: [json],
    example: 'clientele clients renew s6BhdRkqt3s6BhdRkqt3',
    run: clientsRenew,
  },
  {
    name: 'clients suspend',
    summary: 'suspend a client, or all that filters choose: every endpoint refuses them until they are resumed',
    operand: { name: 'CLIENT_ID', description: 'the client_id of the client', optional: true },
    options: changeOptions,
    example: 'clientele clients suspend s6BhdRkqt3s6BhdRkqt3',
    run: oneOrSelected('suspension', clientsSuspend),
  },
  {
    name: 'clients resume',
    summary: 'resume a suspended client, or all that filters choose',
    operand: { name: 'CLIENT_ID', description: 'the client_id of the client', optional: true },
    options: changeOptions,
    example: 'clientele clients resume s6BhdRkqt3s6BhdRkqt3',
    run: oneOrSelected('resumption', clientsResume),
  },
]
