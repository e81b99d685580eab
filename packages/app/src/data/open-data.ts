// Opens the data directory, its secrets and the store.
import { type ConfirmationCiphers, createSealedConfirmations } from '@clientele/adapters-jose'
import {
  type StorageKeys,
  confirmationCiphersBy,
  createCredentialGenerator,
  encryptionBy,
  hashOfSha256,
  hashToken,
  storageKeys,
} from '@clientele/adapters-jose/node'
import type * as Postgresql from '@clientele/adapters-postgresql'
import { openStore } from '@clientele/adapters-sqlite'
import { auditRow } from '@clientele/domain/audit'
import {
  type HashText,
  type ManagementPrivilege,
  type Operator,
  type TokenHash,
  operatorOfTheStore,
} from '@clientele/domain/authorization'
import type { EpochSeconds } from '@clientele/domain/kernel'
import { type OperationPorts, createTurns, operationPorts } from '@clientele/domain/operations'
import type {
  CredentialGenerator,
  Encryption,
  Instances,
  LogoutConfirmations,
  Store,
  StoreNeeds,
  StoreOpener,
  StoreRefusal,
} from '@clientele/domain/ports'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { randomUUID } from 'node:crypto'
import { type PostgresqlUrl, sqliteFiles } from '../config/database.js'
import { lifeCyclePolicy } from '../config/life-cycle.js'
import type { Config } from '../config/settings.js'
import { errorReason } from '../config/files.js'
import type { EncryptionKeys, MasterToken } from '../config/operators.js'
import { removeSocket } from './data-directory.js'
import { type MasterTokens, type PreparedData, newEncryptionKey, prepareFirstRun } from './first-run.js'

/** The encryption keys of this process, which a change of the key replaces while it runs. */
export type KeyHolder = {
  /** By the keys of the time at which a task runs. */
  readonly encryption: Encryption
  readonly ciphers: ConfirmationCiphers
  readonly keys: () => EncryptionKeys
  /** From now on, these. */
  readonly replaceKeys: (keys: EncryptionKeys) => void
}

export type OpenedData = Omit<PreparedData, 'encryptionKeys'> & {
  readonly store: Store
  readonly keyHolder: KeyHolder
  readonly confirmations: LogoutConfirmations
  readonly generator: CredentialGenerator
  readonly hashToken: HashText
  readonly operations: OperationPorts
  /** The digests of the master token, and of the previous one if it still counts. */
  readonly masterTokenHashes: (tokens: MasterTokens) => MasterTokenHashes
  /** File permissions let only the operator open the data directory. */
  readonly operator: Operator<ManagementPrivilege>
}

/** The first is of the present token. */
export type MasterTokenHashes = ReadonlyNonEmptyArray<TokenHash>

/** What instances of the service have in common, and must not show. */
export type SharedSecrets = {
  readonly digestKey: string
  readonly masterTokens: MasterTokenHashes
  readonly encryptionKeys: ReadonlyArray<Buffer>
}

/** Permits or refuses this process beside the instances that run on the store, before it seals anything. */
export type Admit = (instances: Instances, secrets: SharedSecrets) => TE.TaskEither<StoreRefusal, unknown>

export type OpenDataOptions = {
  /** Called when the database is damaged or the disk fails: the process must end. */
  readonly onFatal: (error: unknown) => void
  /** Called after each commit of the store. */
  readonly onCommit?: StoreNeeds['onCommit']
  readonly expectExisting: boolean
  readonly admit: Admit
  /** Called when the store cannot be opened: takes back what `admit` has announced. */
  readonly withdraw?: T.Task<unknown> | undefined
  /** Milliseconds that the opening waits for PostgreSQL; 30 seconds by default. */
  readonly waitForDatabase?: number | undefined
  /** Opens the store, in place of the database of the settings. */
  readonly openStore?: StoreOpener | undefined
  /** The clock of clients, tokens, sessions and keys, in place of those of the host and of the database. */
  readonly now?: (() => EpochSeconds) | undefined
}

/** `message` is one line for the operator; there is no `refusal` where the data directory is at fault. */
export type OpenDataRefusal = Pick<StoreRefusal, 'message'> & Partial<Pick<StoreRefusal, 'refusal'>>

// PostgreSQL, whose driver a start on SQLite does not load.

const onPostgresql = <A>(
  use: (adapter: typeof Postgresql) => TE.TaskEither<StoreRefusal, A>,
): TE.TaskEither<StoreRefusal, A> =>
  pipe(
    TE.tryCatch(
      () => import('@clientele/adapters-postgresql'),
      (error): StoreRefusal => ({
        refusal: 'unusable',
        message: `the adapter of PostgreSQL cannot be loaded (${errorReason(error)}): install the service again`,
      }),
    ),
    TE.flatMap(use),
  )

const connectionOptions = (config: Config, { url }: PostgresqlUrl, waitForDatabase: number) => ({
  url,
  waitForDatabase,
  maxConnections: config['database-max-connections'],
  preparedStatements: config['database-prepared-statements'],
  tls: config['database-tls'],
})

/** What a command asks of PostgreSQL, by default without waiting for the database; on SQLite, the text refuses the command. */
export const askPostgresql = <A>(
  config: Config,
  onSqlite: string,
  ask: (adapter: typeof Postgresql, options: ReturnType<typeof connectionOptions>) => TE.TaskEither<StoreRefusal, A>,
): TE.TaskEither<string, A> => {
  const url = config['database-url']
  return url.scheme === 'sqlite'
    ? TE.left(onSqlite)
    : pipe(
        onPostgresql((adapter) => ask(adapter, connectionOptions(config, url, 0))),
        TE.mapLeft(({ message }) => message),
      )
}

/**
 * What operations ask for: in routes, commands, the engine and the service's own work. Where registration is not open, it is
 * the operator who removes what an earlier open one has left.
 */
const portsOf = (
  config: Config,
  { store, generator, hashToken }: Pick<OpenedData, 'store' | 'generator' | 'hashToken'>,
): OperationPorts =>
  operationPorts({
    store,
    generator,
    hashToken,
    turns: createTurns({
      drawFraction: Math.random,
      pause: (milliseconds) => () => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    }),
    audit: { auditRow: auditRow(hashToken, randomUUID), addAuditRow: store.auditLog.addAuditRow },
    lifeCycle: lifeCyclePolicy(config),
    removes: config['allow-open-registration'],
  })

// What the store is opened with.

/** Makes the credentials of clients and tokens, in the lengths of the settings. */
export const credentialGenerator = (config: Config, hash: HashText, now?: () => EpochSeconds): CredentialGenerator =>
  createCredentialGenerator(
    {
      clientId: config['client-id-length'],
      clientSecret: config['client-secret-length'],
      registrationAccessToken: config['registration-access-token-length'],
    },
    hash,
    now,
  )

const createKeyHolder = (keys: EncryptionKeys): KeyHolder => {
  const storageOf = ([first, ...others]: EncryptionKeys): StorageKeys => storageKeys(first, others)
  const present: { keys: EncryptionKeys; storage: StorageKeys } = { keys, storage: storageOf(keys) }
  return {
    encryption: encryptionBy(present),
    ciphers: confirmationCiphersBy(present),
    keys: () => present.keys,
    replaceKeys: (next) => {
      present.storage = storageOf(next)
      present.keys = next
    },
  }
}

const masterTokenHashesOf =
  (digestKey: string) =>
  ({ masterToken, previousMasterToken }: MasterTokens): MasterTokenHashes => {
    const hash = (token: MasterToken): TokenHash =>
      token.kind === 'token' ? hashToken(digestKey)(token.token) : hashOfSha256(digestKey)(token.digest)
    return [hash(masterToken), ...(previousMasterToken === undefined ? [] : [hash(previousMasterToken)])]
  }

const defaultWaitForDatabase = 30_000

/** The opener of the database by the scheme of database-url. */
const openerOf = (config: Config, options: OpenDataOptions, prepared: PreparedData): StoreOpener => {
  const url = config['database-url']
  const { expectExisting, withdraw, waitForDatabase = defaultWaitForDatabase } = options
  switch (url.scheme) {
    case 'sqlite': {
      const { database: file, socket } = sqliteFiles(config['data-dir'], url)
      return (needs) => openStore({ ...needs, expectExisting, onLocked: () => removeSocket(socket), file })
    }
    case 'postgresql':
      return ({ encryption, generateKey, now }) =>
        onPostgresql((adapter) =>
          adapter.openStore({
            ...connectionOptions(config, url, waitForDatabase),
            migrates: !expectExisting && config['database-migrate'] === 'auto',
            admit: (instances, digestKey) =>
              options.admit(instances, {
                digestKey,
                encryptionKeys: prepared.encryptionKeys,
                masterTokens: masterTokenHashesOf(digestKey)(prepared),
              }),
            withdraw,
            encryption,
            generateKey,
            now,
          }),
        )
  }
}

const openWith =
  (config: Config, options: OpenDataOptions) =>
  (prepared: PreparedData): TE.TaskEither<OpenDataRefusal, OpenedData> => {
    const { encryptionKeys, ...found } = prepared
    const keyHolder = createKeyHolder(encryptionKeys)
    const { onFatal, onCommit, now } = options
    const open = options.openStore ?? openerOf(config, options, prepared)
    return pipe(
      open({ encryption: keyHolder.encryption, generateKey: newEncryptionKey, onFatal, onCommit, now }),
      TE.map((store) => {
        const hash = hashToken(store.digestKey)
        const generator = credentialGenerator(config, hash, now)
        return {
          ...found,
          store,
          keyHolder,
          generator,
          operations: portsOf(config, { store, generator, hashToken: hash }),
          confirmations: createSealedConfirmations(keyHolder.ciphers, generator.now),
          hashToken: hash,
          operator: operatorOfTheStore(),
          masterTokenHashes: masterTokenHashesOf(store.digestKey),
        }
      }),
    )
  }

/** Opens all of them, and makes those that are missing. */
export const openData = (config: Config, options: OpenDataOptions): TE.TaskEither<OpenDataRefusal, OpenedData> =>
  pipe(
    TE.fromIOEither(() => prepareFirstRun(config)),
    TE.mapLeft((message): OpenDataRefusal => ({ message })),
    TE.flatMap(openWith(config, options)),
  )

// A database that was copied without its write-ahead log may have lost its keys. Generating new ones would leave all
// issued tokens without a key that verifies them.

const lost = ({ database, files }: OpenedData): string =>
  `${database} has clients, but no keys: ` +
  (files === undefined
    ? 'it was probably restored in part. '
    : `it was probably copied without its write-ahead log (${files.database}-wal). `) +
  'Restore the whole copy; or, where the keys are gone for good, make new ones by clientele keys create'

/** Refuses a store with clients and no key ring, in one line for the operator. */
export const refuseLostKeys =
  (data: OpenedData): TE.TaskEither<string, void> =>
  async () => {
    const rings = await data.store.keyRings.readKeyRings()
    // An unreadable client or ring exists: the next reader reports its fault.
    if (E.isLeft(rings) || rings.right.length > 0) return E.right(undefined)
    for await (const _client of data.store.registry.streamClients()) return E.left(lost(data))
    return E.right(undefined)
  }
