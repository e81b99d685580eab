// The accounts for development, as their file holds them.
import { type JsonObject, isJsonObject, maxDepth, readJson } from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { PasswordRecord } from './password.js'

/** No space, so that a name is one word of a command, and nothing that looks alike. */
export const isUsername = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/.test(text)

const Claims = new t.Type<JsonObject>(
  'Claims',
  isJsonObject(maxDepth),
  (value, context) => (isJsonObject(maxDepth)(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
)

export const Account = t.readonly(
  t.exact(
    t.type({
      username: t.refinement(t.string, isUsername),
      sub: Subject,
      password: PasswordRecord,
      claims: Claims,
    }),
  ),
  'Account',
)
export interface Account extends t.TypeOf<typeof Account> {}

const Accounts = t.type({ accounts: t.readonlyArray(Account) })

/** The text of a file with the accounts. */
export const accountsText = (accounts: ReadonlyArray<Account>): string =>
  `${JSON.stringify(Accounts.encode({ accounts }), null, 2)}\n`

const isDistinct = (accounts: ReadonlyArray<Account>): boolean =>
  new Set(accounts.map(({ username }) => username)).size === accounts.length

const accountsRule = 'accounts as clientele users add writes them, each name once'

/** The accounts in the text of a file; a refusal is the violated rule. */
export const parseAccounts = (text: string): E.Either<string, ReadonlyArray<Account>> =>
  pipe(
    readJson(text),
    E.mapLeft((fault) => `${accountsRule}: the file ${fault.text}`),
    E.flatMap((json) =>
      pipe(
        Accounts.decode(json),
        E.map(({ accounts }) => accounts),
        E.filterOrElseW(isDistinct, () => undefined),
        E.mapLeft(() => accountsRule),
      ),
    ),
  )
