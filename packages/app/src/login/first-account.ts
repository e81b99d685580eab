// The account with which a developer can sign in after the first start.
import { randomAlphanumeric } from '@clientele/adapters-jose/node'
import { type Account, type HostLogin, accountsText, recordPassword } from '@clientele/adapters-login'
import { Subject } from '@clientele/domain/logout'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { dirname } from 'node:path'
import { chosenLogin } from '../config/chosen-login.js'
import { describeConfigFault } from '../config/config-fault.js'
import { accountsFile } from '../config/data-files.js'
import { type LoginSettings, missingLogin } from '../config/missing-login.js'
import { readAccountsFile } from '../data/given-files.js'
import { makeDirectory, isThere, replaceSecretFile, writeSecretFile } from '../data/data-directory.js'

/** What a start says about signing in, without secrets. */
export type DevelopmentStart = {
  readonly accountsFile: string
  /** How many accounts there are. */
  readonly accounts: number
  /** The account that this start made, and the file of its password. */
  readonly made: { readonly username: string; readonly passwordFile: string } | undefined
}

const firstUsername = 'developer'
const firstClaims = { name: 'Developer', email: 'developer@example.com', email_verified: true }
const passwordLength = 20
const subLength = 32

/** A new account. OpenID Connect Core §2: its sub is never assigned to another one. */
export const newAccount = (
  username: string,
  password: string,
  claims: Account['claims'],
): TE.TaskEither<string, Account> =>
  pipe(
    TE.fromEither(Subject.decode(randomAlphanumeric(subLength))),
    TE.mapLeft(() => 'a new sub has a wrong form'),
    TE.bindTo('sub'),
    TE.bind('record', () =>
      TE.tryCatch(
        () => recordPassword(password),
        () => 'the password cannot be digested',
      ),
    ),
    TE.map(({ sub, record }) => ({ username, sub, password: record, claims })),
  )

// Two first starts may make the file at once: the password is that of the account that is in it.
const storePassword =
  (path: string, password: string) =>
  ({ sub }: Account): E.Either<string, DevelopmentStart> =>
    pipe(
      readAccountsFile(path),
      E.flatMap((accounts) => {
        const start = { accountsFile: path, accounts: accounts.length, made: undefined }
        const passwordFile = `${path.replace(/\.json$/, '')}-first-password`
        const made = { username: firstUsername, passwordFile }
        return accounts.some((each) => each.sub === sub)
          ? pipe(
              replaceSecretFile(passwordFile, `${password}\n`),
              E.map((): DevelopmentStart => ({ ...start, made })),
            )
          : E.right(start)
      }),
    )

const makeFirst = (path: string): TE.TaskEither<string, DevelopmentStart> => {
  const password = randomAlphanumeric(passwordLength)
  return pipe(
    TE.fromEither(makeDirectory(dirname(path), 'accounts-file', 'directory of the accounts')),
    TE.flatMap(() => newAccount(firstUsername, password, firstClaims)),
    TE.tapEither((account) => writeSecretFile(path, accountsText([account]))),
    TE.flatMapEither(storePassword(path, password)),
  )
}

const prepareAccounts = (path: string): TE.TaskEither<string, DevelopmentStart> =>
  pipe(
    TE.fromEither(isThere(path)),
    TE.flatMap((isFound) =>
      isFound
        ? pipe(
            TE.fromEither(readAccountsFile(path)),
            TE.map(({ length }) => ({ accountsFile: path, accounts: length, made: undefined })),
          )
        : makeFirst(path),
    ),
  )

/** Refuses an engine without a login, before anything is written. */
export const requireLogin = (config: LoginSettings, host: HostLogin | undefined): E.Either<string, void> => {
  const fault = host === undefined ? missingLogin(config) : undefined
  return fault === undefined ? E.right(undefined) : E.left(describeConfigFault(fault))
}

/**
 * With login development, makes a first account with a random password where there is no file of accounts; refuses an
 * unsafe file.
 */
export const prepareLogin = (
  config: LoginSettings,
  host: HostLogin | undefined,
): TE.TaskEither<string, DevelopmentStart | undefined> => {
  if (host !== undefined) return TE.right(undefined)
  const file = chosenLogin(config) === 'development' ? accountsFile(config) : undefined
  return file === undefined ? TE.right(undefined) : prepareAccounts(file)
}
