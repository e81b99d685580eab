// clientele token …, clients … and encryption …: what operators do with credentials that leaked or are to be replaced.
import type { SealedAnew } from '@clientele/adapters-http'
import type { InitialAccessTokenList } from '@clientele/domain'
import type { RenewedCredentials } from '../operating/operate-credentials.js'
import { listTokens, renewClient, revokeToken, sealAnew } from '../operating/operate-credentials.js'
import { printable, printableDocument } from '../observing/printable.js'
import { isoTime } from '../operating/read-answer.js'
import { show } from './show.js'
import { withSettings } from './with-settings.js'

const tokenListText = ({ tokens, more }: InitialAccessTokenList): string =>
  tokens.length === 0
    ? 'No initial access token is in force'
    : [
        ...tokens.map(({ id, scope, expires_at }) => `${id}\n  ${printable(scope)}, until ${isoTime(expires_at)}`),
        ...(more ? [`There are more: these are the first ${tokens.length} to expire`] : []),
      ].join('\n')

/** Every initial access token that could still register a client, but no token itself; changes nothing. */
export const tokenList = withSettings(({ config }, terminal, { switches }) =>
  show(terminal, listTokens(config), switches.includes('json') ? printableDocument : tokenListText),
)

/** Takes an initial access token back before it is spent. */
export const tokenRevoke = withSettings(({ config }, terminal, { operand = '' }) =>
  show(terminal, revokeToken(config, operand), () => 'The token registers no client any more'),
)

const renewedText = ({ client_id, client_secret, registration_access_token }: RenewedCredentials): string =>
  [
    `client_id                  ${printable(client_id)}`,
    ...(client_secret === undefined ? [] : [`client_secret              ${printable(client_secret)}`]),
    `registration_access_token  ${printable(registration_access_token)}`,
  ].join('\n')

/** Gives a client new credentials, and prints them: those that it had count no more. */
export const clientsRenew = withSettings(({ config }, terminal, { operand = '', switches }) =>
  show(terminal, renewClient(config, operand), switches.includes('json') ? printableDocument : renewedText),
)

const sealedText = ({ sealed, unreadable }: SealedAnew): string =>
  [
    `Sealed anew: ${sealed}`,
    unreadable === 0
      ? 'Every other key may leave encryption-key'
      : `Not opened by any key, and left as they are: ${unreadable}. Keep the other keys, or remove those clients`,
  ].join('\n')

/** Seals everything that is stored with the first of the encryption keys, so that the others may go. */
export const encryptionReSeal = withSettings(({ config }, terminal, { switches }) =>
  show(terminal, sealAnew(config), switches.includes('json') ? printableDocument : sealedText),
)
