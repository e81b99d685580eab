import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { InitialAccessTokenResponse } from '@clientele/domain'
import { issueToken } from '../operating/issue-token.js'
import { refuse } from './refuse.js'
import { scopeFault } from './scope-fault.js'
import type { ExitStatus, Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

const show = ({ output, errors }: Terminal, issued: InitialAccessTokenResponse, json: boolean): ExitStatus => {
  output.write(json ? `${JSON.stringify(issued)}\n` : `${issued.access_token}\n`)
  if (!json) errors.write(`Registers one client within ${issued.expires_in} seconds. Scope: ${issued.scope}\n`)
  return 0
}

const isWholeNumber = (text: string | undefined): boolean => text === undefined || /^\d{1,12}$/.test(text)

/** Issues an initial access token, through the running service or on the data directory itself. */
export const tokenIssue = withSettings(async ({ config }, terminal, { flags, switches }) => {
  const { scope, lifetime } = flags
  if (scope === undefined) return refuse(terminal, 'token issue needs --scope, such as --scope client-reg', 2)
  const fault = scopeFault(scope)
  if (fault !== undefined) return refuse(terminal, fault, 2)
  if (!isWholeNumber(lifetime)) return refuse(terminal, '--lifetime must be a whole number of seconds', 2)
  const request = { scope, ...(lifetime === undefined ? {} : { lifetime: Number(lifetime) }) }
  return pipe(
    await issueToken(config, request)(),
    E.match(
      (message) => refuse(terminal, message, 1),
      (issued) => show(terminal, issued, switches.includes('json')),
    ),
  )
})
