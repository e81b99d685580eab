/** Why a store is not opened. The message is for people; nothing was changed. */
export type StoreRefusal = {
  readonly refusal:
    'in-use' | 'not-a-database' | 'newer-schema' | 'foreign-schema' | 'wrong-encryption-key' | 'unusable'
  readonly message: string
}

export const storeRefusal = (refusal: StoreRefusal['refusal'], message: string): StoreRefusal => ({ refusal, message })

export const wrongKey = (file: string): StoreRefusal =>
  storeRefusal(
    'wrong-encryption-key',
    `the encryption key does not open ${file}: it was written with another one; give that key, alone or after the new one`,
  )

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
