import { basename } from 'node:path'
import type { Service } from '../compose.js'
import type { DataFiles } from '../config/database.js'
import type { DevelopmentStart } from '../engine/login.js'
import type { ResolvedSetting } from '../config/load-config.js'

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`

const registrationCommand = (url: string, files: DataFiles): string =>
  [
    `  curl -sS ${url}/clients`,
    `-H "Authorization: Bearer $(cat ${quoted(files.masterToken)})"`,
    "-H 'Content-Type: application/json'",
    `-d '{"redirect_uris":["https://client.example.com/callback"]}'`,
  ].join(' ')

/** How a developer signs in, in one line. */
const signInText = ({ accountsFile, accounts, made }: DevelopmentStart): string => {
  if (made !== undefined) return `Sign in as ${made.username} with the password in ${quoted(made.passwordFile)}`
  return accounts === 0
    ? 'Nobody can sign in: clientele users add NAME makes an account'
    : `Sign in with an account of ${quoted(accountsFile)}: clientele users list names them`
}

const registrationText = ({ firstRun: { files, made }, url }: Service): ReadonlyArray<string> =>
  files !== undefined && made.includes(files.masterToken)
    ? ['Register a client with the master token:', registrationCommand(url, files)]
    : []

const listed = (paths: ReadonlyArray<string>): string => paths.map((path) => basename(path)).join(', ')

/** The text of a start on stdout. The command reads the token from its file; the token itself is never printed. */
export const startText = (service: Service): string => {
  const { firstRun, accounts } = service
  const { files, database, made, found } = firstRun
  const account = accounts?.made === undefined ? [] : [accounts.accountsFile, accounts.made.passwordFile]
  const allMade = [...made, ...account]
  return [
    `Clientele at ${service.baseUrl}`,
    ...(service.managementUrl === undefined ? [] : [`Health and metrics at ${service.managementUrl}`]),
    `Data in ${files?.directory ?? database}`,
    ...(allMade.length > 0 ? [`Made ${listed(allMade)}`] : []),
    ...(found.length > 0 ? [`Found ${listed(found)}`] : []),
    ...registrationText(service),
    ...(accounts === undefined ? [] : [signInText(accounts)]),
    '',
  ].join('\n')
}

const statusText = `Registrations are answered with 200, which clients that insist on 201 (RFC 7591 section 3.2.1) refuse:
set registration-status to 201 for them, or to 200, which hides this notice
`

/** The notice for a setting that the operator has not chosen. */
export const statusReminder = (settings: ReadonlyArray<ResolvedSetting>): string =>
  settings.some(({ name, source }) => name === 'registration-status' && source === 'default') ? statusText : ''

export const readyLine = ({ baseUrl }: Service): string => `clientele ready ${baseUrl}\n`
