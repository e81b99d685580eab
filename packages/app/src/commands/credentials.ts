// clientele token … and clients …: management of leaked or outdated credentials by operators.
import type { InitialAccessTokenDescription, InitialAccessTokenList } from '@clientele/domain/operations'
import {
  type RenewedCredentials,
  listTokens,
  renewClient,
  resume,
  revokeToken,
  suspend,
} from '../operating/operate-credentials.js'
import { printable, printableDocument } from '../observing/printable.js'
import { isoTime } from '../operating/read-answer.js'
import { changeOptions, oneOrSelected } from './change-clients.js'
import { json, type Command } from './command.js'
import { issuerTextOf, lifetimeText } from './issuer-texts.js'
import { show } from './show.js'
import { withSettings } from './with-settings.js'

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

const tokenList = withSettings(({ config }, terminal, { switches }) =>
  show(terminal, listTokens(config), switches.includes('json') ? printableDocument : tokenListText),
)

const tokenRevoke = withSettings(({ config }, terminal, { operand = '' }) =>
  show(terminal, revokeToken(config, operand), () => 'The token registers no client any more'),
)

const renewedText = ({ client_id, client_secret, registration_access_token }: RenewedCredentials): string =>
  [
    `client_id                  ${printable(client_id)}`,
    ...(client_secret === undefined ? [] : [`client_secret              ${printable(client_secret)}`]),
    `registration_access_token  ${printable(registration_access_token)}`,
  ].join('\n')

const clientsRenew = withSettings(({ config }, terminal, { operand = '', switches }) =>
  show(terminal, renewClient(config, operand), switches.includes('json') ? printableDocument : renewedText),
)

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
