import { createSealedConfirmations } from '@clientele/adapters-jose'
import {
  type HashText,
  type ManagementPrivilege,
  type Operator,
  type TokenHash,
  operatorOfTheStore,
} from '@clientele/domain/authorization'
import type { EpochSeconds } from '@clientele/domain/kernel'
import type {
  CredentialGenerator,
  Instances,
  LogoutConfirmations,
  Store,
  StoreNeeds,
  StoreOpener,
  StoreRefusal,
} from '@clientele/domain/ports'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { randomBytes } from 'node:crypto'
import { removeSocket } from './command-socket.js'
import { openDatabase } from './open-database.js'
import type { Config } from '../config/settings.js'
import type { MasterToken } from '../config/operators.js'
import { type MasterTokens, type PreparedData, prepareFirstRun } from './first-run.js'
import { type KeyHolder, createKeyHolder } from './key-holder.js'
import { createCredentialGenerator, hashOfSha256, hashToken } from '@clientele/adapters-jose/node'

export type OpenedData = Omit<PreparedData, 'encryptionKeys'> & {
  readonly store: Store
  readonly keyHolder: KeyHolder
  readonly confirmations: LogoutConfirmations
  readonly generator: CredentialGenerator
  readonly hashToken: HashText
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

const defaultWaitForDatabase = 30_000

/** `message` is one line for the operator. */
export type OpenDataRefusal = { readonly refusal: string; readonly message: string }

const generatedOf = (config: Config, hash: OpenedData['hashToken'], now: OpenDataOptions['now']): CredentialGenerator =>
  createCredentialGenerator(
    {
      clientId: config['client-id-length'],
      clientSecret: config['client-secret-length'],
      registrationAccessToken: config['registration-access-token-length'],
    },
    hash,
    now,
  )

const hashOf =
  (digestKey: string) =>
  (token: MasterToken): TokenHash =>
    token.kind === 'token' ? hashToken(digestKey)(token.token) : hashOfSha256(digestKey)(token.digest)

const masterTokenHashesOf =
  (digestKey: string) =>
  ({ masterToken, previousMasterToken }: MasterTokens): MasterTokenHashes => {
    const hash = hashOf(digestKey)
    return [hash(masterToken), ...(previousMasterToken === undefined ? [] : [hash(previousMasterToken)])]
  }

const openWith =
  (config: Config, options: OpenDataOptions) =>
  (prepared: PreparedData): TE.TaskEither<OpenDataRefusal, OpenedData> => {
    const { encryptionKeys, files, ...found } = prepared
    const keyHolder = createKeyHolder(encryptionKeys)
    if (keyHolder === undefined)
      return TE.left({ refusal: 'no_encryption_key', message: 'encryption-key must hold a key' })
    const onLocked = (): void => {
      if (files !== undefined) removeSocket(files.socket)
    }
    const { expectExisting, withdraw, waitForDatabase = defaultWaitForDatabase } = options
    const admit = (instances: Instances, digestKey: string): ReturnType<Admit> =>
      options.admit(instances, { digestKey, encryptionKeys, masterTokens: masterTokenHashesOf(digestKey)(prepared) })
    const open =
      options.openStore ?? openDatabase(config, { expectExisting, onLocked, waitForDatabase, admit, withdraw })
    return pipe(
      open({
        encryption: keyHolder.encryption,
        generateKey: () => randomBytes(32).toString('base64url'),
        onFatal: options.onFatal,
        onCommit: options.onCommit,
        now: options.now,
      }),
      TE.map((store) => {
        const hash = hashToken(store.digestKey)
        const generator = generatedOf(config, hash, options.now)
        return {
          ...found,
          files,
          store,
          keyHolder,
          generator,
          confirmations: createSealedConfirmations(keyHolder.ciphers, generator.now),
          hashToken: hash,
          operator: operatorOfTheStore(),
          masterTokenHashes: masterTokenHashesOf(store.digestKey),
        }
      }),
    )
  }

/** Opens the data directory, its secrets and the database, and makes those that are missing. */
export const openData = (config: Config, options: OpenDataOptions): TE.TaskEither<OpenDataRefusal, OpenedData> =>
  pipe(
    TE.fromIOEither(() => prepareFirstRun(config)),
    TE.mapLeft((message): OpenDataRefusal => ({ refusal: 'data_directory', message })),
    TE.flatMap(openWith(config, options)),
  )
