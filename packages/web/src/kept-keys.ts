import { type KeyRotationPorts, type KeyRotationScheduler, createKeyRotationScheduler } from '@clientele/adapters-jose'
import type { KeySettings } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'

export type KeptKeys = Pick<
  KeyRotationScheduler,
  'keys' | 'keyRings' | 'foreignKeys' | 'refreshKeys' | 'publishedJwkSet'
> & {
  /** Does what is due with the keys: makes those that are missing, and rotates them. Rejects when that cannot be done. */
  readonly keepKeys: () => Promise<void>
}

/** There are no keys before the first `keepKeys`. */
export const keptKeys = (settings: KeySettings, ports: KeyRotationPorts): KeptKeys => {
  const { reconcile, keys, keyRings, foreignKeys, refreshKeys, publishedJwkSet } = createKeyRotationScheduler({
    settings,
    ports,
  })
  const keepKeys = async (): Promise<void> => {
    const done = await reconcile()
    if (E.isLeft(done)) throw new Error(`the keys cannot be kept: ${done.left.error}`)
  }
  return { keys, keyRings, foreignKeys, refreshKeys, publishedJwkSet, keepKeys }
}
