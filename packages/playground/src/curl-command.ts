import { baseUrlIn, exampleBaseUrl } from './base-url.js'
import { shellText } from './shell-text.js'
import { type State, tokenScopeOf } from './state.js'

/** The variable of the command that contains the token. */
export const tokenVariable = 'INITIAL_ACCESS_TOKEN'

/** The registration as a command; for the example service where the base URL is invalid. */
export const curlCommand = (state: State): string =>
  [
    `curl -sS ${shellText(`${baseUrlIn(state.baseUrl) ?? exampleBaseUrl}/clients`)}`,
    ...(tokenScopeOf(state) === '' ? [] : [`-H "Authorization: Bearer $${tokenVariable}"`]),
    "-H 'Content-Type: application/json'",
    // Not --data, for which a text that begins with @ names a file.
    `--data-raw ${shellText(state.body)}`,
  ].join(' \\\n  ')

/** The command that issues the token. */
export const issueCommand = (scope: string): string => `clientele token issue --scope ${shellText(scope)}`
