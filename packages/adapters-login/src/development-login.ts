import { type EpochSeconds, type Unavailable, unavailable } from '@clientele/domain/kernel'
import type { EndUserLogin } from '@clientele/domain/ports'
import { type LoginRefused, loginRefused } from '@clientele/domain/provider'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Account } from './accounts.js'
import { isPasswordOf } from './password.js'

export type DevelopmentLogin = Extract<EndUserLogin, { readonly kind: 'development' }>

/** The accounts are read at each login, so that a new one counts at once. */
export type ReadAccounts = TE.TaskEither<Unavailable, ReadonlyArray<Account>>

// The same reason for both, and the same work: an answer does not tell which names exist.
const wrong = (): LoginRefused => loginRefused('there is no account with this name and password')

const judged = (account: Account | undefined, password: string): TE.TaskEither<LoginRefused | Unavailable, Account> =>
  pipe(
    TE.tryCatch(() => isPasswordOf(password, account?.password), unavailable),
    TE.flatMap((isRight) => (isRight && account !== undefined ? TE.right(account) : TE.left(wrong()))),
  )

/** Accounts with passwords: for development only. */
export const createDevelopmentLogin = (readAccounts: ReadAccounts, now: () => EpochSeconds): DevelopmentLogin => ({
  kind: 'development',
  check: ({ username, password }) =>
    pipe(
      readAccounts,
      TE.flatMap((accounts) =>
        judged(
          accounts.find((each) => each.username === username),
          password,
        ),
      ),
      // RFC 8176 §2: pwd
      TE.map(({ sub, claims }) => ({ endUser: { sub, claims, auth_time: now(), amr: ['pwd'] } })),
    ),
  listAccounts: pipe(
    readAccounts,
    TE.map((accounts) => accounts.map(({ username, claims }) => ({ username, claims }))),
  ),
})
