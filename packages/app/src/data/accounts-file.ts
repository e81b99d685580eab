// The accounts of login development, in their file.
import { type Account, accountsText, parseAccounts } from '@clientele/adapters-login'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isThere } from './is-there.js'
import { readSecretFile, replaceSecretFile } from './secret-file.js'

/** The accounts of the file; none where there is no file. */
export const readAccountsFile = (path: string): E.Either<string, ReadonlyArray<Account>> =>
  pipe(
    isThere(path),
    E.flatMap((isFound) =>
      isFound ? readSecretFile(parseAccounts, 'remove it, and add the accounts anew')(path) : E.right([]),
    ),
  )

/** Replaces the file, which its owner alone can read. */
export const writeAccountsFile = (path: string, accounts: ReadonlyArray<Account>): E.Either<string, void> =>
  replaceSecretFile(path, accountsText(accounts))
