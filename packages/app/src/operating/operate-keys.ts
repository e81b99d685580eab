// Commands on the keys.
import { createKeyRotationScheduler, readPrivateJwkSet, readPublicJwkSet } from '@clientele/adapters-jose'
import { invalidKeys } from '@clientele/domain/kernel'
import { type JwkSet, ForeignKeyDescription, KeyDescription, notForgotten, publishedKeys } from '@clientele/domain/keys'
import { type KeyList, type KeyManagement, type RevokedKeyList, manageKeys } from '@clientele/domain/operations'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { commandOrigin } from '../audit/command-origin.js'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'
import { keyPorts } from '../keys/key-ports.js'
import { keySettings } from '../keys/key-settings.js'
import { operate } from './operation.js'

type Done<A> = TE.TaskEither<string, A>

const KeyListAnswer = t.intersection([
  t.type({ keys: t.readonlyArray(KeyDescription) }),
  t.partial({ foreign: t.readonlyArray(ForeignKeyDescription) }),
])
const CompromisedAnswer = t.intersection([
  KeyListAnswer,
  t.type({ phase: t.keyof({ announced: null, signing: null, retired: null }) }),
])
const JwkSetAnswer = t.type({ keys: t.readonlyArray(t.UnknownRecord) })

const management = (config: Config, data: OpenedData): KeyManagement =>
  manageKeys(keySettings(config), keyPorts(data))(data.operator, { origin: commandOrigin() })

const dryRunQuery = (dryRun: boolean): string => (dryRun ? '?dry_run=true' : '')

export const listKeys = (config: Config): Done<KeyList> =>
  operate(config, {
    path: '/keys',
    codec: KeyListAnswer,
    onStore: (data) => management(config, data).listKeys,
  })

export const rollOverKeys = (config: Config, alg: string | undefined, dryRun: boolean): Done<KeyList> => {
  const named = alg === undefined ? {} : { alg }
  return operate(config, {
    path: `/keys/roll-over${dryRunQuery(dryRun)}`,
    body: named,
    codec: KeyListAnswer,
    onStore: (data) => management(config, data).rollOver({ ...named, dryRun }),
  })
}

export const revokeKey = (config: Config, kid: string, dryRun: boolean): Done<RevokedKeyList> =>
  operate(config, {
    path: `/keys/compromise${dryRunQuery(dryRun)}`,
    body: { kid },
    codec: CompromisedAnswer,
    onStore: (data) => management(config, data).revoke({ kid, dryRun }),
  })

export const importKeys = (config: Config, keySet: object, dryRun: boolean): Done<KeyList> =>
  operate(config, {
    path: `/keys/import${dryRunQuery(dryRun)}`,
    body: keySet,
    codec: KeyListAnswer,
    onStore: (data) =>
      pipe(
        readPrivateJwkSet(keySet),
        TE.mapLeft(invalidKeys),
        TE.flatMap((keys) => management(config, data).importKeys({ keys, dryRun })),
      ),
  })

/** Publishes the public keys of another signer, all of them or none. */
export const importForeignKeys = (config: Config, keySet: object, dryRun: boolean): Done<KeyList> =>
  operate(config, {
    path: `/keys/foreign${dryRunQuery(dryRun)}`,
    body: keySet,
    codec: KeyListAnswer,
    onStore: (data) =>
      pipe(
        readPublicJwkSet(keySet),
        TE.mapLeft(invalidKeys),
        TE.flatMap((keys) => management(config, data).importForeignKeys({ keys, dryRun })),
      ),
  })

/** Removes a key of another signer from the set. */
export const removeForeignKey = (config: Config, kid: string): Done<KeyList> =>
  operate(config, {
    path: '/keys/foreign/remove',
    body: { kid },
    codec: KeyListAnswer,
    onStore: (data) => management(config, data).removeForeignKey(kid),
  })

const rotated = (config: Config, data: OpenedData): TE.TaskEither<unknown, KeyList> => {
  const { reconcile, keys, stop } = createKeyRotationScheduler({ settings: keySettings(config), ports: keyPorts(data) })
  return pipe(
    reconcile,
    TE.flatMap(() => keys(data.operator, { origin: commandOrigin() }).listKeys),
    T.tap(() => stop),
  )
}

/** Makes missing keys, as the first start does; a running service has them already. */
export const createKeys = (config: Config): Done<KeyList> =>
  operate(config, { path: '/keys', codec: KeyListAnswer, onStore: (data) => rotated(config, data) })

/** The set as verifiers receive it. */
export const exportKeys = (config: Config): Done<JwkSet | t.TypeOf<typeof JwkSetAnswer>> =>
  operate<JwkSet | t.TypeOf<typeof JwkSetAnswer>>(config, {
    path: '/jwks.json',
    codec: JwkSetAnswer,
    onStore: ({ store }) =>
      pipe(
        store.keyRings.readKeyRings,
        TE.bindTo('rings'),
        TE.bindW('foreign', () => store.foreignKeys.readForeignKeys),
        TE.bindW('at', () => store.keyRings.readStoreTime),
        TE.map(({ rings, foreign, at }) => publishedKeys(notForgotten(rings, at), foreign)),
      ),
  })
