// clientele users …: the accounts of login development.
import { type Account, isUsername, maxPassword } from '@clientele/adapters-login'
import { type JsonObject, type JsonValue, isJsonObject, maxDepth, parseWellFormedJson } from '@clientele/domain/kernel'
import { isEndUserClaim } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { dirname } from 'node:path'
import { accountsFile } from '../config/login.js'
import type { Config } from '../config/settings.js'
import { readFile } from '../config/files.js'
import { readAccountsFile, writeAccountsFile } from '../data/given-files.js'
import { makeDirectory } from '../data/data-directory.js'
import { newAccount } from '../engine/login.js'
import { printable } from '../text.js'
import { type Command, type Invocation, type Refusal, type Terminal, answering, json, listed } from './command.js'

type NewUser = { readonly username: string; readonly claims: JsonObject }

const minPassword = 8

const fileOf = (config: Config): E.Either<string, string> =>
  E.fromNullable('accounts-file must be set with PostgreSQL: name the file that all instances read')(
    accountsFile(config),
  )

// OpenID Connect Core §5.1: true and false are truth values, as of email_verified; updated_at is a number, and address an object.
const valueOf = (name: string, text: string): E.Either<string, JsonValue> => {
  if (text === 'true' || text === 'false') return E.right(text === 'true')
  if (text.startsWith('{'))
    return pipe(
      parseWellFormedJson(text),
      E.filterOrElseW(isJsonObject(maxDepth - 1), () => undefined),
      E.mapLeft(() => `--claim ${name} begins with {, so that it must be a JSON object`),
    )
  if (name !== 'updated_at') return E.right(text)
  return /^\d{1,12}$/.test(text) ? E.right(Number(text)) : E.left('--claim updated_at must be a number of seconds')
}

const claimOf = (text: string): E.Either<string, readonly [string, JsonValue]> => {
  const [name = '', ...rest] = text.split('=')
  return /^[A-Za-z][\w.:/-]{0,99}$/.test(name) && isEndUserClaim(name) && rest.length > 0
    ? pipe(
        valueOf(name, rest.join('=')),
        E.map((value) => [name, value] as const),
      )
    : E.left('--claim must be NAME=VALUE, with the name of a claim about an end-user, such as email=ada@example.com')
}

const claimsOf = (texts: ReadonlyArray<string>): E.Either<string, JsonObject> =>
  pipe(
    texts,
    E.traverseArray(claimOf),
    E.filterOrElse(
      (claims) => new Set(claims.map(([name]) => name)).size === claims.length,
      () => '--claim must name each claim once',
    ),
    E.map((claims) => Object.fromEntries(claims)),
  )

/** A wrong name or claim is wrong usage. */
const argumentsOf = ({ operand = '', repeated = {} }: Invocation): E.Either<Refusal, NewUser> =>
  pipe(
    isUsername(operand)
      ? E.right(operand)
      : E.left('NAME must have 1 to 64 of the characters A-Z a-z 0-9 . _ @ + -, and begin with a letter or digit'),
    E.bindTo('username'),
    E.bind('claims', () => claimsOf(repeated['claim'] ?? [])),
    E.mapLeft((usage) => ({ usage })),
  )

const givenPassword = (terminal: Terminal, file: string | undefined): TE.TaskEither<string, string> =>
  pipe(
    file === undefined
      ? TE.fromTask(() => terminal.askSecret('Password: '))
      : pipe(
          TE.fromEither(readFile(file)),
          TE.mapLeft((code) => `--password-file cannot be read (${code})`),
        ),
    TE.map((text) => text.replace(/\r?\n$/, '')),
    TE.filterOrElse(
      ({ length }) => length >= minPassword && length <= maxPassword,
      () => `the password must have ${minPassword} to ${maxPassword} characters`,
    ),
  )

/** The file of the accounts, with them. */
const opened = (config: Config) =>
  pipe(
    TE.fromEither(fileOf(config)),
    TE.bindTo('file'),
    TE.bind('accounts', ({ file }) => TE.fromEither(readAccountsFile(file))),
  )

const withoutName = (name: string) => (accounts: ReadonlyArray<Account>) =>
  accounts.filter(({ username }) => username !== name)

const username = { name: 'NAME', description: 'the name with which the user signs in' }

export const userCommands: ReadonlyArray<Command> = [
  {
    name: 'users add',
    summary: 'make an account for login development; asks for its password',
    operand: username,
    options: [
      {
        name: 'claim',
        value: 'NAME=VALUE',
        description: 'a claim about the user, such as email=ada@example.com; may be repeated',
        several: true,
      },
      {
        name: 'password-file',
        value: 'FILE',
        description: 'a file with the password, which the command reads in place of asking',
      },
    ],
    example: 'clientele users add ada --claim email=ada@example.com --claim email_verified=true',
    run: answering(
      (config, invocation, terminal) =>
        pipe(
          TE.fromEither(argumentsOf(invocation)),
          TE.bindW('password', () => givenPassword(terminal, invocation.flags['password-file'])),
          TE.bindW('account', ({ username, password, claims }) => newAccount(username, password, claims)),
          // Another command may change the accounts before the password is there.
          TE.bindW('opened', () => opened(config)),
          TE.filterOrElseW(
            ({ username, opened: { accounts } }) => withoutName(username)(accounts).length === accounts.length,
            ({ username }) => `there is an account ${username} already: clientele users remove ${username} removes it`,
          ),
          TE.tapEither(({ opened: { file } }) =>
            makeDirectory(dirname(file), 'accounts-file', 'directory of the accounts'),
          ),
          TE.flatMapEither(({ opened: { file, accounts }, account }) =>
            writeAccountsFile(file, [...accounts, account]),
          ),
        ),
      (_, { operand = '' }) => `${operand} can sign in now`,
    ),
  },
  {
    name: 'users list',
    summary: 'show the accounts of login development, without passwords',
    options: [json],
    example: 'clientele users list',
    run: answering(
      // Without the passwords, also those that are digested.
      (config) =>
        pipe(
          opened(config),
          TE.map(({ accounts }) => ({
            users: accounts.map(({ username, sub, claims }) => ({ username, sub, claims })),
          })),
        ),
      ({ users }) =>
        listed(
          users,
          ({ username, claims }) => `${username}  ${printable(JSON.stringify(claims))}`,
          'There is no account: clientele users add NAME makes one',
        ),
    ),
  },
  {
    name: 'users remove',
    summary: 'remove an account of login development',
    operand: username,
    example: 'clientele users remove ada',
    run: answering(
      (config, { operand = '' }) =>
        pipe(
          opened(config),
          TE.filterOrElse(
            ({ accounts }) => withoutName(operand)(accounts).length < accounts.length,
            () => `there is no account ${printable(operand)}: clientele users list shows those that exist`,
          ),
          TE.flatMapEither(({ file, accounts }) => writeAccountsFile(file, withoutName(operand)(accounts))),
        ),
      (_, { operand = '' }) => `${operand} cannot sign in any more; a session of ${operand} lasts until it ends`,
    ),
  },
]
