import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { InitialAccessTokenResponse } from '@clientele/domain/operations'
import { issueToken } from '../operating/issue-token.js'
import { json, type Command } from './command.js'
import { scopeFault } from './scope-fault.js'
import { refuse } from './show.js'
import type { ExitStatus, Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

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
