import { type KeyRotationPorts, type KeyRotationScheduler, createKeyRotationScheduler } from '@clientele/adapters-jose'
import type { KeySettings } from '@clientele/domain/keys'
import * as E from 'fp-ts/lib/Either.js'

export type InMemoryKeys = Pick<
  KeyRotationScheduler,
  'keys' | 'keyRings' | 'foreignKeys' | 'lastRead' | 'refreshKeys' | 'publishedJwkSet'
> & {
  /** Makes missing keys and due changes. Rejects when that fails. */
  readonly reconcileKeys: () => Promise<void>
}

/** There are no keys before the first `reconcileKeys`. */
export const inMemoryKeys = (settings: KeySettings, ports: KeyRotationPorts): InMemoryKeys => {
  const { reconcile, ...source } = createKeyRotationScheduler({ settings, ports })
  const reconcileKeys = async (): Promise<void> => {
    const done = await reconcile()
    if (E.isLeft(done)) throw new Error(`the keys cannot be kept: ${done.left.error}`)
  }
  const { keys, keyRings, foreignKeys, lastRead, refreshKeys, publishedJwkSet } = source
  return { keys, keyRings, foreignKeys, lastRead, refreshKeys, publishedJwkSet, reconcileKeys }
}
