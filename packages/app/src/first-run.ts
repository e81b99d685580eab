import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { platform } from 'node:os'
import { resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { socketPath } from './command-socket.js'
import { makeDataDirectory } from './data-directory.js'
import type { MasterToken } from './config/secrets.js'
import { encryptionKeys, masterToken } from './config/secrets.js'
import type { Parse } from './config/setting.js'
import type { Config } from './config/settings.js'
import { randomAlphanumeric } from './random-alphanumeric.js'
import { readSecretFile, writeSecretFile } from './secret-file.js'

export type DataFiles = {
  readonly directory: string
  readonly database: string
  readonly masterToken: string
  readonly encryptionKey: string
  /** By which commands reach the running service. */
  readonly socket: string
}

/** What a start found or made: paths, and no secret. */
export type FirstRun = {
  readonly files: DataFiles
  readonly made: ReadonlyArray<string>
  readonly found: ReadonlyArray<string>
}

/** The same with the secrets. */
export type PreparedData = FirstRun & {
  readonly masterToken: MasterToken
  readonly encryptionKeys: ReadonlyArray<Buffer>
}

const masterTokenLength = 43

type Secret<A> = { readonly value: A; readonly made: ReadonlyArray<string>; readonly found: ReadonlyArray<string> }

export const dataFiles = (directory: string): DataFiles => ({
  directory: resolve(directory),
  database: resolve(directory, 'clientele.db'),
  masterToken: resolve(directory, 'master-token'),
  encryptionKey: resolve(directory, 'encryption-key'),
  socket: socketPath(resolve(directory), platform()),
})

const findOrMake = <A>(path: string, parse: Parse<A>, generate: () => string): E.Either<string, Secret<A>> => {
  const isNew = !existsSync(path)
  return pipe(
    isNew ? writeSecretFile(path, `${generate()}\n`) : E.right(undefined),
    E.flatMap(() => readSecretFile(parse)(path)),
    E.map((value) => ({ value, made: isNew ? [path] : [], found: isNew ? [] : [path] })),
  )
}

const configuredOr = <A>(
  configured: A | undefined,
  otherwise: () => E.Either<string, Secret<A>>,
): E.Either<string, Secret<A>> =>
  configured === undefined ? otherwise() : E.right({ value: configured, made: [], found: [] })

// What an old database sealed opens with its own key only: a new key would look like a start and lose every secret.
const findOrMakeEncryptionKey = (files: DataFiles): E.Either<string, Secret<ReadonlyArray<Buffer>>> =>
  existsSync(files.database) && !existsSync(files.encryptionKey)
    ? E.left(
        `${files.encryptionKey} is missing, but ${files.database} was sealed with it: ` +
          'restore it from a backup, or set encryption-key',
      )
    : findOrMake(files.encryptionKey, encryptionKeys, () => randomBytes(32).toString('base64url'))

/** Makes the data directory and the secrets that are neither configured nor there yet; refuses what is unsafe. */
export const prepareFirstRun = (
  config: Pick<Config, 'data-dir' | 'master-token' | 'encryption-key'>,
): E.Either<string, PreparedData> => {
  const files = dataFiles(config['data-dir'])
  const hasDatabase = existsSync(files.database)
  return pipe(
    makeDataDirectory(files.directory),
    E.flatMap(() => configuredOr(config['encryption-key'], () => findOrMakeEncryptionKey(files))),
    E.bindTo('key'),
    E.bind('token', () =>
      configuredOr(config['master-token'], () =>
        findOrMake(files.masterToken, masterToken, () => randomAlphanumeric(masterTokenLength)),
      ),
    ),
    E.map(({ key, token }) => ({
      files,
      masterToken: token.value,
      encryptionKeys: key.value,
      made: [...key.made, ...token.made],
      found: [...(hasDatabase ? [files.database] : []), ...key.found, ...token.found],
    })),
  )
}
