// Files that operators name or keep: the body of a registration, key sets, and accounts for development.
import { type Account, accountsText, parseAccounts } from '@clientele/adapters-login'
import { invalidRequest, isPlainObject, parseWellFormedJson, readJson } from '@clientele/domain/kernel'
import type { RegistrationFacts } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readFileSync } from 'node:fs'
import { errorReason, readFile } from '../config/files.js'
import type { Parse } from '../config/values.js'
import { isThere, readSecretFile, replaceSecretFile } from './data-directory.js'

const maxBytes = 65_536
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const refusedSize = {
  metadata: 'POST /clients would answer 413',
  from: 'no request has more',
  document: 'a larger document is not read',
} as const

/** The metadata of a client from a file, or from standard input as -; as strict as POST /clients. */
export const readRegistrationBody = (
  path: string,
  option: keyof typeof refusedSize,
): E.Either<string, RegistrationFacts['body']> =>
  pipe(
    E.tryCatch(
      () => readFileSync(path === '-' ? 0 : path),
      (error) => `${path} cannot be read (${errorReason(error)}): correct --${option}`,
    ),
    E.filterOrElse(
      ({ length }) => length <= maxBytes,
      () => `${path} is larger than ${maxBytes} bytes: ${refusedSize[option]}`,
    ),
    E.map((bytes) =>
      pipe(
        E.tryCatch(
          () => strictUtf8.decode(bytes),
          () => invalidRequest('The body is not well-formed UTF-8'),
        ),
        E.flatMap(parseWellFormedJson),
      ),
    ),
  )

const keySetRule = 'one JSON object, a JSON Web Key set (RFC 7517)'

const parseKeySet: Parse<object> = (text) =>
  pipe(
    readJson(text),
    E.mapLeft((fault) => `${keySetRule}: it ${fault.text}`),
    E.filterOrElse(isPlainObject, () => keySetRule),
  )

/** A file of public keys, which may be readable for all users. */
export const readPublicKeySetFile = (path: string): E.Either<string, object> =>
  pipe(
    readFile(path),
    E.mapLeft((code) => `${path} cannot be read (${code})`),
    E.flatMap((text) =>
      pipe(
        parseKeySet(text.trim()),
        E.mapLeft((rule) => `${path} must hold ${rule}`),
      ),
    ),
  )

/** A file of private keys, readable for its owner only. */
export const readKeySetFile = (path: string): E.Either<string, object> =>
  readSecretFile(path, parseKeySet, 'export the keys of the other server anew')

/** The accounts of login development; none where there is no file. */
export const readAccountsFile = (path: string): E.Either<string, ReadonlyArray<Account>> =>
  pipe(
    isThere(path),
    E.flatMap((isFound) =>
      isFound ? readSecretFile(path, parseAccounts, 'remove it, and add the accounts anew') : E.right([]),
    ),
  )

/** Replaces the file, which its owner alone can read. */
export const writeAccountsFile = (path: string, accounts: ReadonlyArray<Account>): E.Either<string, void> =>
  replaceSecretFile(path, accountsText(accounts))
