import { baseUrlIn, exampleBaseUrl } from './base-url.js'
import { shellText } from './shell-text.js'
import { type State, tokenScopeOf } from './state.js'

/** The variable that the command takes the token from. */
export const tokenVariable = 'INITIAL_ACCESS_TOKEN'

/** The same registration as a command; against an example where the base URL is none. */
export const curlCommand = (state: State): string =>
  [
    `curl -sS ${shellText(`${baseUrlIn(state.baseUrl) ?? exampleBaseUrl}/clients`)}`,
    ...(tokenScopeOf(state) === '' ? [] : [`-H "Authorization: Bearer $${tokenVariable}"`]),
    "-H 'Content-Type: application/json'",
    // Because of what --data takes, a text that begins with @ names a file.
    `--data-raw ${shellText(state.body)}`,
  ].join(' \\\n  ')

/** How the token comes about. */
export const issueCommand = (scope: string): string => `clientele token issue --scope ${shellText(scope)}`
