// The secrets of the settings and of the data directory; a first run makes those that are missing.
import { randomAlphanumeric } from '@clientele/adapters-jose/node'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type DataFiles, dataFiles, databaseUrlText } from '../config/database.js'
import { makeDirectories, isThere, readSecretFile, writeSecretFile } from './data-directory.js'
import { type EncryptionKeys, type MasterToken, encryptionKeys, masterToken } from '../config/operators.js'
import type { Config } from '../config/settings.js'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'

/** What a start found or made, without secrets. */
export type FirstRun = {
  /** None with PostgreSQL. */
  readonly files: DataFiles | undefined
  /** For messages. */
  readonly database: string
  readonly made: ReadonlyArray<string>
  readonly found: ReadonlyArray<string>
}

export type MasterTokens = {
  readonly masterToken: MasterToken
  /** Counts as well while the master token is changed. */
  readonly previousMasterToken: MasterToken | undefined
}

/** What a start found or made, with the secrets. */
export type PreparedData = FirstRun &
  MasterTokens & {
    readonly encryptionKeys: EncryptionKeys
    /** Whether the keys are in the file of the data directory, and not in the settings. */
    readonly keysInFile: boolean
  }

type DataSettings = Pick<
  Config,
  'data-dir' | 'database-url' | 'master-token' | 'previous-master-token' | 'encryption-key'
>

type Files = DataFiles | undefined

const findMaster = (config: DataSettings, files: Files): E.Either<string, MasterToken> => {
  if (config['master-token'] !== undefined) return E.right(config['master-token'])
  return files === undefined ? E.left('master-token must be set') : readSecretFile(files.masterToken, masterToken)
}

const findPrevious = (config: DataSettings, files: Files): E.Either<string, MasterToken | undefined> => {
  const configured = config['previous-master-token']
  if (configured !== undefined || files === undefined) return E.right(configured)
  const path = files.previousMasterToken
  return pipe(
    isThere(path),
    E.flatMap((isFound) => (isFound ? readSecretFile(path, masterToken, 'correct or remove it') : E.right(undefined))),
  )
}

/** The master tokens of a service that runs: a missing file is a fault. */
export const readMasterTokens = (config: DataSettings): E.Either<string, MasterTokens> => {
  const files = dataFiles(config)
  return pipe(
    findMaster(config, files),
    E.bindTo('masterToken'),
    E.bind('previousMasterToken', () => findPrevious(config, files)),
  )
}

/** The encryption keys of the settings, or of the file, which must be there. */
export const readEncryptionKeys = (
  config: DataSettings,
  files: Files,
  remedy = 'put the key of the time of the backup there',
): E.Either<string, EncryptionKeys> => {
  if (config['encryption-key'] !== undefined) return E.right(config['encryption-key'])
  return files === undefined
    ? E.left('encryption-key must be set')
    : readSecretFile(files.encryptionKey, encryptionKeys, remedy)
}

export const newEncryptionKey = (): string => randomBytes(32).toString('base64url')

type SecretFile = { readonly path: string; readonly isMade: boolean }

const findOrMake = (path: string, generate: () => string): E.Either<string, SecretFile> =>
  pipe(
    isThere(path),
    E.tap((isFound) => (isFound ? E.right(undefined) : writeSecretFile(path, `${generate()}\n`))),
    E.map((isFound) => ({ path, isMade: !isFound })),
  )

// Only its own key decrypts an existing database: a new key would hide the loss of all secrets.
const findOrMakeEncryptionKey = ({ database, encryptionKey }: DataFiles): E.Either<string, SecretFile> =>
  pipe(
    E.Do,
    E.bind('hasDatabase', () => isThere(database)),
    E.bind('hasKey', () => isThere(encryptionKey)),
    E.flatMap(({ hasDatabase, hasKey }) =>
      hasDatabase && !hasKey
        ? E.left(
            `${encryptionKey} is missing, but ${database} was sealed with it: ` +
              'restore it from a backup, or set encryption-key',
          )
        : findOrMake(encryptionKey, newEncryptionKey),
    ),
  )

const masterTokenLength = 43

const inFiles = (config: DataSettings, files: DataFiles): E.Either<string, PreparedData> => {
  const database = existsSync(files.database) ? [files.database] : []
  const keysInFile = config['encryption-key'] === undefined
  return pipe(
    makeDirectories(files),
    E.flatMap(() => (keysInFile ? findOrMakeEncryptionKey(files) : E.right(undefined))),
    E.bindTo('keyFile'),
    E.bind('keys', () => readEncryptionKeys(config, files, 'restore it from a backup')),
    E.bind('tokenFile', () =>
      config['master-token'] === undefined
        ? findOrMake(files.masterToken, () => randomAlphanumeric(masterTokenLength))
        : E.right(undefined),
    ),
    E.bind('tokens', () => readMasterTokens(config)),
    E.map(({ keyFile, keys, tokenFile, tokens }) => {
      const secrets = [keyFile, tokenFile].filter((file) => file !== undefined)
      return {
        ...tokens,
        files,
        database: files.database,
        encryptionKeys: keys,
        keysInFile,
        made: secrets.flatMap(({ path, isMade }) => (isMade ? [path] : [])),
        found: [...database, ...secrets.flatMap(({ path, isMade }) => (isMade ? [] : [path]))],
      }
    }),
  )
}

/** Makes the data directory and missing secrets that are not configured; refuses unsafe files. */
export const prepareFirstRun = (config: DataSettings): E.Either<string, PreparedData> => {
  const files = dataFiles(config)
  if (files !== undefined) return inFiles(config, files)
  return pipe(
    readMasterTokens(config),
    E.bindTo('tokens'),
    E.bind('keys', () => readEncryptionKeys(config, undefined)),
    E.map(({ tokens, keys }) => ({
      ...tokens,
      files,
      database: databaseUrlText(config['database-url']),
      encryptionKeys: keys,
      keysInFile: false,
      made: [],
      found: [],
    })),
  )
}
