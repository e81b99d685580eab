// clientele operator-token …: credentials of management that permit less than the master token; clientele reload.
import {
  type OperatorTokenList,
  type OperatorTokenResponse,
  OperatorTokenDescription,
} from '@clientele/domain/operations'
import type { Reloaded } from '@clientele/adapters-http'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { dataFiles } from '../config/database.js'
import type { Config } from '../config/settings.js'
import { manage, operate } from '../manage/manage.js'
import { readAnswer } from '../manage/read-answer.js'
import { issuableManagementPrivileges, managementPrivilegeTexts } from '@clientele/domain/authorization'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { printable, isoTime } from '../text.js'
import { json, type Command } from './command.js'
import { issuerTextOf, lifetimeText } from './issuer-texts.js'
import { privilegesFault } from './scope-fault.js'
import { refuse, show } from './show.js'
import type { ExitStatus, Terminal } from './terminal.js'
import { answering, withSettings } from './with-settings.js'

type OperatorTokenRequest = { readonly scope: string; readonly name?: string; readonly lifetime?: number }

const IssuedAnswer = t.type({
  access_token: t.string,
  token_type: t.literal('Bearer'),
  expires_in: t.number,
  scope: t.string,
  id: t.string,
})
const ListAnswer = t.type({ tokens: t.readonlyArray(OperatorTokenDescription), more: t.boolean })
const ReloadedAnswer = t.type({ reloaded: t.readonlyArray(t.string), waiting: t.readonlyArray(t.string) })

const issueToken = (config: Config, body: OperatorTokenRequest): TE.TaskEither<string, OperatorTokenResponse> =>
  operate(config, {
    codec: IssuedAnswer,
    path: '/operator-tokens',
    body,
  })

const listTokens = (config: Config): TE.TaskEither<string, OperatorTokenList> =>
  operate(config, {
    codec: ListAnswer,
    path: '/operator-tokens',
  })

const revokeToken = (config: Config, id: string): TE.TaskEither<string, null> =>
  operate(config, {
    codec: t.null,
    path: `/operator-tokens/${encodeURIComponent(id)}`,
    asking: { method: 'DELETE' },
    notFound: 'no operator token has this id: clientele operator-token list lists them',
  })

/** Makes the running service read its settings again. */
const reloadService = (config: Config): TE.TaskEither<string, Reloaded> =>
  config.server === undefined && dataFiles(config) === undefined
    ? TE.left('with PostgreSQL, send SIGHUP to the process of each instance, or name one by server')
    : manage(config, (ask, place) =>
        place === 'store'
          ? TE.left('no service runs here: the next start reads the settings')
          : pipe(ask('/reload', {}), TE.flatMap(readAnswer(ReloadedAnswer))),
      )

const print = ({ output, errors }: Terminal, issued: OperatorTokenResponse, asJson: boolean): ExitStatus => {
  output.write(asJson ? `${JSON.stringify(issued)}\n` : `${issued.access_token}\n`)
  if (!asJson) errors.write(`May ${issued.scope}, ${lifetimeText(issued.expires_in)}. Id: ${issued.id}\n`)
  return 0
}

const issue = withSettings(async ({ config }, terminal, { flags, switches }) => {
  const { may = '', name, lifetime } = flags
  const fault = privilegesFault(may)
  if (fault !== undefined) return refuse(terminal, fault, 2)
  if (lifetime !== undefined && !/^\d{1,12}$/.test(lifetime))
    return refuse(terminal, '--lifetime must be a whole number of seconds', 2)
  const request = {
    scope: may,
    ...(name === undefined ? {} : { name }),
    ...(lifetime === undefined ? {} : { lifetime: Number(lifetime) }),
  }
  return pipe(
    await issueToken(config, request)(),
    E.match(
      (message) => refuse(terminal, message, 1),
      (issued) => print(terminal, issued, switches.includes('json')),
    ),
  )
})

const tokenText = ({ id, name, scope, expires_at, expires_in, issued_by }: OperatorTokenDescription): string =>
  [
    name === undefined ? id : `${id}  ${printable(name)}`,
    `  may ${printable(scope)}`,
    `  ${lifetimeText(expires_in)}, until ${isoTime(expires_at)}, issued by ${issuerTextOf(issued_by)}`,
  ].join('\n')

const listText = ({ tokens, more }: OperatorTokenList): string =>
  tokens.length === 0
    ? 'No operator token is in force'
    : [
        ...tokens.map(tokenText),
        ...(more ? [`There are more: these are the first ${tokens.length} to expire`] : []),
      ].join('\n')

const list = answering(listTokens, listText)

const revoke = withSettings(({ config }, terminal, { operand = '' }) =>
  show(terminal, revokeToken(config, operand), () => 'The token permits nothing any more'),
)

const reloadedText = ({ reloaded, waiting }: Reloaded): string =>
  [
    reloaded.length === 0 ? 'Nothing has changed' : `Reloaded: ${reloaded.map(printable).join(', ')}`,
    ...(waiting.length === 0
      ? []
      : [`Changed, and taken over by the next start: ${waiting.map(printable).join(', ')}`]),
  ].join('\n')

const reload = answering(reloadService, reloadedText)

const privilegesText = issuableManagementPrivileges
  .map((name) => `  ${name.padEnd(16)} ${managementPrivilegeTexts[name]}`)
  .join('\n')

export const operatorCommands: ReadonlyArray<Command> = [
  {
    name: 'operator-token issue',
    summary: 'issue a token that permits a part of what the master token permits',
    details: `Privileges:\n${privilegesText}`,
    options: [
      { name: 'may', value: 'PRIVILEGES', description: 'separated by spaces', required: true },
      { name: 'name', value: 'NAME', description: 'whose token it is, for the list' },
      { name: 'lifetime', value: 'SECONDS', description: 'until it expires, a year at most; else 90 days' },
      json,
    ],
    example: 'clientele operator-token issue --may "clients:read keys" --name auditor --lifetime 86400',
    run: issue,
  },
  {
    name: 'operator-token list',
    summary: 'show the operator tokens in force, by their ids',
    options: [json],
    example: 'clientele operator-token list',
    run: list,
  },
  {
    name: 'operator-token revoke',
    summary: 'take an operator token back: it permits nothing from then on',
    operand: { name: 'ID', description: 'the id that clientele operator-token list shows' },
    example: 'clientele operator-token revoke kQ0mW5lqk3TzUeJrM2vXo8yHc1bNd4fGs6aPi7wEtR9',
    run: revoke,
  },
  {
    name: 'reload',
    summary: 'let the running service read master tokens, registration policy and theme again',
    options: [json],
    example: 'clientele reload',
    run: reload,
  },
]
