// clientele token … and operator-token …: what registers a client, and what permits less than the master token.
import {
  type Issuer,
  issuableManagementPrivileges,
  managementPrivilegeTexts,
  managementScope,
  parseManagementPrivileges,
  parseRegistrationScope,
  permitsManagement,
  registrationScopeValues,
} from '@clientele/domain/authorization'
import { nearestName, ruleTexts } from '@clientele/domain/kernel'
import {
  type TokenResponse,
  InitialAccessTokenDescription,
  OperatorTokenDescription,
} from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { dataFiles } from '../config/database.js'
import type { Config } from '../config/settings.js'
import { askFor, manage, operate } from './manage.js'
import { isoTime, printable, printableJson } from '../text.js'
import {
  type Command,
  type Terminal,
  answering,
  asking,
  json,
  lines,
  listed,
  refuse,
  show,
  withSettings,
} from './command.js'

const IssuedToken = t.type({
  access_token: t.string,
  token_type: t.literal('Bearer'),
  expires_in: t.number,
  scope: t.string,
  id: t.string,
})

type Issue = (
  config: Config,
  request: { readonly scope: string; readonly lifetime?: number; readonly name?: string },
) => TE.TaskEither<string, TokenResponse>

const issueAt =
  (path: string): Issue =>
  (config, body) =>
    operate(config, { path, body, codec: IssuedToken })

/** An initial access token, as from POST /direct-authz. */
export const issueToken = issueAt('/direct-authz')

/** Prints the token alone to the standard output, so that a script can take it, and its description beside. */
const issuing = (
  issue: Issue,
  option: 'scope' | 'may',
  faultOf: (scope: string) => string | undefined,
  text: (issued: TokenResponse) => string,
): Command['run'] =>
  withSettings(({ config }, terminal, { flags, switches }) => {
    const { [option]: scope = '', name, lifetime } = flags
    const fault = faultOf(scope)
    if (fault !== undefined) return refuse(terminal, fault, 2)
    if (lifetime !== undefined && !/^\d{1,12}$/.test(lifetime))
      return refuse(terminal, '--lifetime must be a whole number of seconds', 2)
    const issued = issue(config, {
      scope,
      ...(name === undefined ? {} : { name }),
      ...(lifetime === undefined ? {} : { lifetime: Number(lifetime) }),
    })
    return show(terminal, issued, (token) => {
      if (switches.includes('json')) return JSON.stringify(token)
      terminal.errors.write(`${text(token)}. Id: ${token.id}\n`)
      return token.access_token
    })
  })

/** What each unknown word is not, and which of the known ones was meant. */
const unknownTexts = (
  text: string,
  isKnown: (word: string) => boolean,
  kind: string,
  known: ReadonlyArray<string>,
): ReadonlyArray<string> =>
  [...new Set(text.split(' '))]
    .filter((word) => word !== '' && !isKnown(word))
    .map((word) => {
      const meant = nearestName(word, known)
      return `${printableJson(word)} is not ${kind}${meant === undefined ? '' : `: did you mean ${meant}?`}`
    })

/**
 * The fault of the value of --scope: the unknown scope values and the known ones; undefined when it is valid or left
 * out.
 */
export const scopeFault = (scope: string | undefined): string | undefined => {
  const parsed = scope === undefined ? undefined : parseRegistrationScope(scope)
  if (scope === undefined || parsed === undefined || E.isRight(parsed)) return undefined
  const isKnown = (value: string): boolean => E.isRight(parseRegistrationScope(value))
  return lines(
    unknownTexts(scope, isKnown, 'a scope value', registrationScopeValues),
    `--${parsed.left.error_description}`,
  )
}

const isIssuable = (text: string): boolean =>
  pipe(parseManagementPrivileges(text), O.exists(permitsManagement(issuableManagementPrivileges)))

/** The same for the value of --may. */
const privilegesFault = (may: string): string | undefined =>
  isIssuable(may)
    ? undefined
    : lines(
        unknownTexts(may, isIssuable, 'a privilege of an operator token', issuableManagementPrivileges),
        `--may ${ruleTexts['operator-scope'].text}`,
      )

const issuers = {
  store: 'the operator of the machine',
  master: 'the master token',
  operator_token: 'the operator token',
}

/** Who issued a token, for people. */
const issuerTextOf = ({ kind, fingerprint }: Issuer): string =>
  kind === 'store' ? issuers[kind] : `${issuers[kind]} ${printable(fingerprint)}`

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** The remaining life of a token, in its largest unit. */
const lifetimeText = (seconds: number): string => {
  const [name, length] = units.find(([, unit]) => seconds >= unit * 2) ?? (['second', 1] as const)
  const count = Math.floor(seconds / length)
  return `for ${count} ${name}${count === 1 ? '' : 's'}`
}

type Described = InitialAccessTokenDescription | OperatorTokenDescription

const tokenText = (head: string, scope: string, { expires_in, expires_at, issued_by }: Described): string =>
  lines(
    head,
    `  ${scope}`,
    `  ${lifetimeText(expires_in)}, until ${isoTime(expires_at)}${issued_by === undefined ? '' : `, issued by ${issuerTextOf(issued_by)}`}`,
  )

const moreText = (tokens: ReadonlyArray<unknown>, more: boolean): string | false =>
  more && `There are more: these are the first ${tokens.length} to expire`

export const tokenCommands: ReadonlyArray<Command> = [
  {
    name: 'token issue',
    summary: 'issue an initial access token, by which one client may register',
    options: [
      { name: 'scope', value: 'SCOPE', description: 'what the client may ask for, such as client-reg', required: true },
      {
        name: 'lifetime',
        value: 'SECONDS',
        description: 'how long it is valid; by default initial-access-token-lifetime',
      },
      json,
    ],
    example: 'clientele token issue --scope "client-reg:grant:code client-reg:data" --lifetime 600',
    run: issuing(
      issueToken,
      'scope',
      scopeFault,
      ({ expires_in, scope }) => `Registers one client within ${expires_in} seconds. Scope: ${scope}`,
    ),
  },
  {
    name: 'token list',
    summary: 'show the initial access tokens that could still register a client, by their ids',
    options: [json],
    example: 'clientele token list',
    run: asking(
      () => ({
        path: '/initial-access-tokens',
        codec: t.type({ tokens: t.readonlyArray(InitialAccessTokenDescription), more: t.boolean }),
      }),
      ({ tokens, more }) =>
        listed(
          tokens,
          (token) => tokenText(token.id, printable(token.scope), token),
          'No initial access token is in force',
          moreText(tokens, more),
        ),
    ),
  },
  {
    name: 'token revoke',
    summary: 'revoke an initial access token before it is spent',
    operand: { name: 'ID', description: 'the id that clientele token list shows' },
    example: 'clientele token revoke kQ0mW5lqk3TzUeJrM2vXo8yHc1bNd4fGs6aPi7wEtR9',
    run: asking(
      ({ operand = '' }) => ({
        method: 'DELETE',
        path: `/initial-access-tokens/${encodeURIComponent(operand)}`,
        codec: t.null,
        notFound: 'no initial access token has this id: clientele token list lists them',
      }),
      () => 'The token registers no client any more',
    ),
  },
]

const privilegesText = issuableManagementPrivileges
  .map((name) => `  ${name.padEnd(17)} ${managementPrivilegeTexts[name]}`)
  .join('\n')

const noConsole = 'there is no console: set console to true, or management-port, whose console operators alone reach'

const ConsoleTicket = t.type({ ticket: t.string, console: t.string })

const addressHint =
  'The address is by base-url and management-port of this command: give it the settings of the running instances\n'

/** A link to the console of the service that answers, at the address that it names, or by which it was asked. */
const linkToConsole = (config: Config, scope: string, { errors }: Terminal): TE.TaskEither<string, string> =>
  manage(config, (ask, place) =>
    // On PostgreSQL, commands work on the database, beside the instances that run there.
    place === 'store' && dataFiles(config) !== undefined
      ? TE.left('no service runs here: start it first')
      : pipe(
          askFor(ask, {
            path: '/console/links',
            body: { scope },
            codec: ConsoleTicket,
            notFound: noConsole,
          }),
          TE.map(({ ticket, console }) => {
            const { server } = config
            if (place === 'store') errors.write(addressHint)
            return `${server === undefined ? console : `${server}/console`}/sign-in?link=${ticket}`
          }),
        ),
  )

const consoleCommand: Command = {
  name: 'console',
  summary: 'print a link that signs you in to the console in a browser; it works once',
  details: `The link is valid for ten minutes, at the sign-in of the running service alone, and the session for eight hours. The session permits everything except to issue operator tokens, or the privileges that --may names:\n${privilegesText}`,
  options: [
    { name: 'may', value: 'PRIVILEGES', description: 'privileges separated by spaces; all of them by default' },
  ],
  example: 'clientele console --may "clients:read audit"',
  run: answering(
    (config, { flags: { may: scope = managementScope(issuableManagementPrivileges) } }, terminal) => {
      const fault = privilegesFault(scope)
      return fault === undefined ? linkToConsole(config, scope, terminal) : TE.left({ usage: fault })
    },
    (link) => link,
  ),
}

export const operatorTokenCommands: ReadonlyArray<Command> = [
  consoleCommand,
  {
    name: 'operator-token issue',
    summary: 'issue a token that permits a part of what the master token permits',
    details: `Privileges:\n${privilegesText}`,
    options: [
      { name: 'may', value: 'PRIVILEGES', description: 'privileges separated by spaces', required: true },
      { name: 'name', value: 'NAME', description: 'a name that says whose token it is' },
      { name: 'lifetime', value: 'SECONDS', description: 'how long it is valid, a year at most; 90 days by default' },
      json,
    ],
    example: 'clientele operator-token issue --may "clients:read keys" --name auditor --lifetime 86400',
    run: issuing(
      issueAt('/operator-tokens'),
      'may',
      privilegesFault,
      ({ expires_in, scope }) => `May ${scope}, ${lifetimeText(expires_in)}`,
    ),
  },
  {
    name: 'operator-token list',
    summary: 'show the valid operator tokens, by their ids',
    options: [json],
    example: 'clientele operator-token list',
    run: asking(
      () => ({
        path: '/operator-tokens',
        codec: t.type({ tokens: t.readonlyArray(OperatorTokenDescription), more: t.boolean }),
      }),
      ({ tokens, more }) =>
        listed(
          tokens,
          (token) => {
            const { id, name, scope } = token
            return tokenText(name === undefined ? id : `${id}  ${printable(name)}`, `may ${printable(scope)}`, token)
          },
          'No operator token is in force',
          moreText(tokens, more),
        ),
    ),
  },
  {
    name: 'operator-token revoke',
    summary: 'revoke an operator token: it permits nothing from then on',
    operand: { name: 'ID', description: 'the id that clientele operator-token list shows' },
    example: 'clientele operator-token revoke kQ0mW5lqk3TzUeJrM2vXo8yHc1bNd4fGs6aPi7wEtR9',
    run: asking(
      ({ operand = '' }) => ({
        method: 'DELETE',
        path: `/operator-tokens/${encodeURIComponent(operand)}`,
        codec: t.null,
        notFound: 'no operator token has this id: clientele operator-token list lists them',
      }),
      () => 'The token permits nothing any more',
    ),
  },
]
