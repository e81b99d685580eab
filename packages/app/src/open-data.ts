import type { Sealing, Store } from '@clientele/adapters-sqlite'
import { openStore } from '@clientele/adapters-sqlite'
import type { Fresh, TokenHash } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { randomBytes } from 'node:crypto'
import type { Config } from './config/settings.js'
import type { FirstRun } from './first-run.js'
import { prepareFirstRun } from './first-run.js'
import { createFresh } from './fresh.js'
import { hashOfSha256, hashToken } from './hash-token.js'
import { createSealing } from './seal.js'

export type OpenedData = FirstRun & {
  readonly store: Store
  readonly sealing: Sealing
  readonly fresh: Fresh
  readonly hashToken: (token: string) => TokenHash
  readonly masterTokenHash: TokenHash
}

export type OpenDataOptions = {
  /** The database is damaged or the disk fails: the process must end. */
  readonly onFatal: (error: unknown) => void
  readonly expectExisting: boolean
}

/** `message` is one line for the operator. */
export type OpenDataRefusal = { readonly refusal: string; readonly message: string }

type SealedStore = Pick<OpenedData, 'store' | 'sealing'>

const withPorts =
  (config: Config, firstRun: FirstRun) =>
  ({ store, sealing }: SealedStore): OpenedData => {
    const hash = hashToken(store.digestKey)
    const { masterToken } = firstRun
    return {
      ...firstRun,
      store,
      sealing,
      hashToken: hash,
      masterTokenHash:
        masterToken.kind === 'token' ? hash(masterToken.token) : hashOfSha256(store.digestKey)(masterToken.digest),
      fresh: createFresh(
        {
          clientId: config['client-id-length'],
          clientSecret: config['client-secret-length'],
          registrationAccessToken: config['registration-access-token-length'],
        },
        hash,
      ),
    }
  }

const openStoreWith = (firstRun: FirstRun, options: OpenDataOptions): E.Either<OpenDataRefusal, SealedStore> => {
  const [first, ...others] = firstRun.encryptionKeys
  if (first === undefined) return E.left({ refusal: 'no_encryption_key', message: 'encryption-key must hold a key' })
  const sealing = createSealing(first, others)
  return pipe(
    openStore({
      ...options,
      file: firstRun.files.database,
      sealing,
      freshKey: () => randomBytes(32).toString('base64url'),
    }),
    E.map((store) => ({ store, sealing })),
  )
}

/** The data directory, its secrets and its store; made when they are not there yet. */
export const openData = (config: Config, options: OpenDataOptions): E.Either<OpenDataRefusal, OpenedData> =>
  pipe(
    prepareFirstRun(config),
    E.mapLeft((message): OpenDataRefusal => ({ refusal: 'data_directory', message })),
    E.flatMap((firstRun) => pipe(openStoreWith(firstRun, options), E.map(withPorts(config, firstRun)))),
  )
