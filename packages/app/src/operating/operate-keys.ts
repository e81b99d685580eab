// Commands on the keys.
import { ForeignKeyDescription, KeyDescription } from '@clientele/domain/keys'
import type { KeyList, RevokedKeyList } from '@clientele/domain/operations'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
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

const dryRunQuery = (dryRun: boolean): string => (dryRun ? '?dry_run=true' : '')

export const listKeys = (config: Config): Done<KeyList> =>
  operate(config, {
    path: '/keys',
    codec: KeyListAnswer,
  })

export const rollOverKeys = (config: Config, alg: string | undefined, dryRun: boolean): Done<KeyList> => {
  const named = alg === undefined ? {} : { alg }
  return operate(config, {
    path: `/keys/roll-over${dryRunQuery(dryRun)}`,
    body: named,
    codec: KeyListAnswer,
  })
}

export const revokeKey = (config: Config, kid: string, dryRun: boolean): Done<RevokedKeyList> =>
  operate(config, {
    path: `/keys/compromise${dryRunQuery(dryRun)}`,
    body: { kid },
    codec: CompromisedAnswer,
  })

export const importKeys = (config: Config, keySet: object, dryRun: boolean): Done<KeyList> =>
  operate(config, {
    path: `/keys/import${dryRunQuery(dryRun)}`,
    body: keySet,
    codec: KeyListAnswer,
  })

/** Publishes the public keys of another signer, all of them or none. */
export const importForeignKeys = (config: Config, keySet: object, dryRun: boolean): Done<KeyList> =>
  operate(config, {
    path: `/keys/foreign${dryRunQuery(dryRun)}`,
    body: keySet,
    codec: KeyListAnswer,
  })

/** Removes a key of another signer from the set. */
export const removeForeignKey = (config: Config, kid: string): Done<KeyList> =>
  operate(config, {
    path: '/keys/foreign/remove',
    body: { kid },
    codec: KeyListAnswer,
  })

/** Makes missing keys, as the first start does; a running service has them already. */
export const createKeys = (config: Config): Done<KeyList> =>
  operate(config, { path: '/keys', codec: KeyListAnswer, keys: 'made' })

/** The set as verifiers receive it. */
export const exportKeys = (config: Config): Done<t.TypeOf<typeof JwkSetAnswer>> =>
  operate(config, {
    path: '/jwks.json',
    codec: JwkSetAnswer,
    keys: 'read',
  })
