import { existsSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type DataFiles, dataFiles, databaseUrlText } from '../config/database.js'
import { makeDirectories } from './data-directory.js'
import { type MasterToken, encryptionKeys, masterToken } from '../config/operators.js'
import type { Parse } from '../config/values.js'
import type { Config } from '../config/settings.js'
import { randomAlphanumeric } from '@clientele/adapters-jose/node'
import { isThere } from './is-there.js'
import { newEncryptionKey } from './key-holder.js'
import { readSecretFile, writeSecretFile } from './secret-file.js'

/** What a start found or made, without secrets. */
export type FirstRun = {
  /** None with PostgreSQL. */
  readonly files: DataFiles | undefined
  /** For messages. */
  readonly database: string
  readonly made: ReadonlyArray<string>
  readonly found: ReadonlyArray<string>
}

/** The same, with the secrets. */
export type PreparedData = FirstRun & {
  readonly masterToken: MasterToken
  /** Counts as well while the master token is changed. */
  readonly previousMasterToken: MasterToken | undefined
  readonly encryptionKeys: ReadonlyArray<Buffer>
  /** Whether the keys are in the file of the data directory, and not in the settings. */
  readonly keysInFile: boolean
}

const masterTokenLength = 43

type Secret<A> = { readonly value: A; readonly made: ReadonlyArray<string>; readonly found: ReadonlyArray<string> }

const findOrMake = <A>(path: string, parse: Parse<A>, generate: () => string): E.Either<string, Secret<A>> =>
  pipe(
    isThere(path),
    E.tap((isFound) => (isFound ? E.right(undefined) : writeSecretFile(path, `${generate()}\n`))),
    E.bindTo('isFound'),
    E.bind('value', () => readSecretFile(parse)(path)),
    E.map(({ isFound, value }) => ({ value, made: isFound ? [] : [path], found: isFound ? [path] : [] })),
  )

const configuredOr = <A>(
  configured: A | undefined,
  otherwise: () => E.Either<string, Secret<A>>,
): E.Either<string, Secret<A>> =>
  configured === undefined ? otherwise() : E.right({ value: configured, made: [], found: [] })

// Only its own key decrypts an existing database: a new key would hide the loss of all secrets.
const findOrMakeEncryptionKey = (files: DataFiles): E.Either<string, Secret<ReadonlyArray<Buffer>>> =>
  pipe(
    E.Do,
    E.bind('hasDatabase', () => isThere(files.database)),
    E.bind('hasKey', () => isThere(files.encryptionKey)),
    E.flatMap(({ hasDatabase, hasKey }) =>
      hasDatabase && !hasKey
        ? E.left(
            `${files.encryptionKey} is missing, but ${files.database} was sealed with it: ` +
              'restore it from a backup, or set encryption-key',
          )
        : findOrMake(files.encryptionKey, encryptionKeys, newEncryptionKey),
    ),
  )

type DataSettings = Pick<
  Config,
  'data-dir' | 'database-url' | 'master-token' | 'previous-master-token' | 'encryption-key'
>

const findPrevious = (config: DataSettings, files: DataFiles): E.Either<string, MasterToken | undefined> =>
  config['previous-master-token'] !== undefined
    ? E.right(config['previous-master-token'])
    : pipe(
        isThere(files.previousMasterToken),
        E.flatMap((isFound) =>
          isFound ? readSecretFile(masterToken, 'correct or remove it')(files.previousMasterToken) : E.right(undefined),
        ),
      )

const findMaster = (config: DataSettings, files: DataFiles): E.Either<string, MasterToken> =>
  config['master-token'] !== undefined
    ? E.right(config['master-token'])
    : readSecretFile(masterToken)(files.masterToken)

export type MasterTokens = Pick<PreparedData, 'masterToken' | 'previousMasterToken'>

/** The master tokens of a service that runs: a missing file is a fault. */
export const readMasterTokens = (config: DataSettings): E.Either<string, MasterTokens> => {
  const files = dataFiles(config)
  if (files === undefined)
    return pipe(
      E.fromNullable('master-token must be set')(config['master-token']),
      E.map((token) => ({ masterToken: token, previousMasterToken: config['previous-master-token'] })),
    )
  return pipe(
    findMaster(config, files),
    E.bindTo('masterToken'),
    E.bind('previousMasterToken', () => findPrevious(config, files)),
  )
}

/** The secrets of the settings, and no file. */
const withoutFiles = (config: DataSettings): E.Either<string, PreparedData> =>
  pipe(
    E.Do,
    E.bind('token', () => E.fromNullable('master-token must be set')(config['master-token'])),
    E.bind('keys', () => E.fromNullable('encryption-key must be set')(config['encryption-key'])),
    E.map(({ token, keys }) => ({
      files: undefined,
      database: databaseUrlText(config['database-url']),
      masterToken: token,
      previousMasterToken: config['previous-master-token'],
      encryptionKeys: keys,
      keysInFile: false,
      made: [],
      found: [],
    })),
  )

const inFiles = (config: DataSettings, files: DataFiles): E.Either<string, PreparedData> => {
  const hasDatabase = existsSync(files.database)
  return pipe(
    makeDirectories(files),
    E.flatMap(() => configuredOr(config['encryption-key'], () => findOrMakeEncryptionKey(files))),
    E.bindTo('key'),
    E.bind('token', () =>
      configuredOr(config['master-token'], () =>
        findOrMake(files.masterToken, masterToken, () => randomAlphanumeric(masterTokenLength)),
      ),
    ),
    E.bind('previous', () => findPrevious(config, files)),
    E.map(({ key, token, previous }) => ({
      files,
      database: files.database,
      masterToken: token.value,
      previousMasterToken: previous,
      encryptionKeys: key.value,
      keysInFile: config['encryption-key'] === undefined,
      made: [...key.made, ...token.made],
      found: [...(hasDatabase ? [files.database] : []), ...key.found, ...token.found],
    })),
  )
}

/** Makes the data directory and missing secrets that are not configured; refuses unsafe files. */
export const prepareFirstRun = (config: DataSettings): E.Either<string, PreparedData> => {
  const files = dataFiles(config)
  return files === undefined ? withoutFiles(config) : inFiles(config, files)
}

/** The encryption keys of the settings, or of the file, which must be there. */
export const readEncryptionKeys = (
  config: DataSettings,
  { encryptionKey }: DataFiles,
): E.Either<string, ReadonlyArray<Buffer>> =>
  config['encryption-key'] === undefined
    ? readSecretFile(encryptionKeys, 'put the key of the time of the backup there')(encryptionKey)
    : E.right(config['encryption-key'])
