// What commands do with the keys: each through the running service, or on the store when none runs.
import { readPrivateJwkSet, readPublicJwkSet } from '@clientele/adapters-jose'
import type { CompromisedKeyList, JwkSet, KeyList, KeyManagement, KeyRefusal, Unavailable } from '@clientele/domain'
import {
  ForeignKeyDescription,
  KeyDescription,
  invalidKeys,
  keepKeyRings,
  manageKeys,
  notForgotten,
  publishedKeys,
} from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { askService } from './ask-service.js'
import type { Config } from '../config/settings.js'
import { keyPorts } from '../keys/key-ports.js'
import { keySettings } from '../keys/key-settings.js'
import { readAnswer, refusalText } from './read-answer.js'
import { throughServiceOrStore } from './through-service-or-store.js'

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

type Operation<A> = {
  readonly codec: t.Type<A, unknown>
  readonly path: string
  readonly body?: object
  readonly onStore: (keys: KeyManagement) => TE.TaskEither<KeyRefusal | Unavailable, A>
}

export const storeCannot = 'the store cannot answer now: try again'

const operate = <A>(config: Config, { codec, path, body, onStore }: Operation<A>): Done<A> =>
  throughServiceOrStore(config, {
    service: (access) => pipe(askService(access, path, body), TE.flatMap(readAnswer(codec))),
    store: (data) =>
      pipe(
        onStore(manageKeys(keySettings(config), keyPorts(data))),
        TE.mapLeft((refusal) => refusalText(refusal, storeCannot)),
      ),
  })

const dryRunQuery = (dryRun: boolean): string => (dryRun ? '?dry_run=true' : '')

export const listKeys = (config: Config): Done<KeyList> =>
  operate(config, { codec: KeyListAnswer, path: '/keys', onStore: (keys) => keys.listKeys })

export const rollOverKeys = (config: Config, alg: string | undefined, dryRun: boolean): Done<KeyList> => {
  const named = alg === undefined ? {} : { alg }
  return operate(config, {
    codec: KeyListAnswer,
    path: `/keys/roll-over${dryRunQuery(dryRun)}`,
    body: named,
    onStore: (keys) => keys.rollOver({ ...named, dryRun }),
  })
}

export const compromiseKey = (config: Config, kid: string, dryRun: boolean): Done<CompromisedKeyList> =>
  operate(config, {
    codec: CompromisedAnswer,
    path: `/keys/compromise${dryRunQuery(dryRun)}`,
    body: { kid },
    onStore: (keys) => keys.compromise({ kid, dryRun }),
  })

export const importKeys = (config: Config, keySet: object, dryRun: boolean): Done<KeyList> =>
  operate(config, {
    codec: KeyListAnswer,
    path: `/keys/import${dryRunQuery(dryRun)}`,
    body: keySet,
    onStore: (keys) =>
      pipe(
        readPrivateJwkSet(keySet),
        TE.mapLeft(invalidKeys),
        TE.flatMap((imported) => keys.importKeys({ keys: imported, dryRun })),
      ),
  })

/** Publishes the public keys of another signer, all of them or none. */
export const importForeignKeys = (config: Config, keySet: object, dryRun: boolean): Done<KeyList> =>
  operate(config, {
    codec: KeyListAnswer,
    path: `/keys/foreign${dryRunQuery(dryRun)}`,
    body: keySet,
    onStore: (keys) =>
      pipe(
        readPublicJwkSet(keySet),
        TE.mapLeft(invalidKeys),
        TE.flatMap((imported) => keys.importForeignKeys({ keys: imported, dryRun })),
      ),
  })

/** Takes a key of another signer out of the set. */
export const removeForeignKey = (config: Config, kid: string): Done<KeyList> =>
  operate(config, {
    codec: KeyListAnswer,
    path: '/keys/foreign/remove',
    body: { kid },
    onStore: (keys) => keys.removeForeignKey(kid),
  })

/** Makes the keys that are missing, as the first start does; a running service has them. */
export const createKeys = (config: Config): Done<KeyList> =>
  throughServiceOrStore(config, {
    service: (access) => pipe(askService(access, '/keys'), TE.flatMap(readAnswer(KeyListAnswer))),
    store: (data) =>
      pipe(
        keepKeyRings(keySettings(config), keyPorts(data)),
        TE.flatMap(() => manageKeys(keySettings(config), keyPorts(data)).listKeys),
        TE.mapLeft((refusal) => refusalText(refusal, storeCannot)),
      ),
  })

/** The set as verifiers get it. */
export const exportKeys = (config: Config): Done<JwkSet | t.TypeOf<typeof JwkSetAnswer>> =>
  throughServiceOrStore<JwkSet | t.TypeOf<typeof JwkSetAnswer>>(config, {
    service: (access) => pipe(askService(access, '/jwks.json'), TE.flatMap(readAnswer(JwkSetAnswer))),
    store: ({ store, fresh }) =>
      pipe(
        store.keyRings.readKeyRings,
        TE.bindTo('rings'),
        TE.bindW('foreign', () => store.foreignKeys.readForeignKeys),
        TE.mapBoth(
          () => storeCannot,
          ({ rings, foreign }) => publishedKeys(notForgotten(rings, fresh.now()), foreign),
        ),
      ),
  })
