import type { Unavailable } from '@clientele/domain/kernel'
import type { StoreRefusal } from '@clientele/domain/ports'

export const storeRefusal = (refusal: StoreRefusal['refusal'], message: string): StoreRefusal => ({ refusal, message })

export const wrongKey = (store: string): StoreRefusal =>
  storeRefusal(
    'wrong-encryption-key',
    `the encryption key does not open ${store}: it was written with another one; give that key, alone or after the new one`,
  )

export const encryptionUnavailable =
  (store: string) =>
  ({ detail }: Unavailable): StoreRefusal =>
    storeRefusal(
      'encryption-unavailable',
      `the encryption of ${store} is not available (${reasonOf(detail)}): start again when it is`,
    )

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
