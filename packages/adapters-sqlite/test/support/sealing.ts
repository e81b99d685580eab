import * as O from 'fp-ts/lib/Option.js'
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Sealing } from '@clientele/domain'

/** AES-256-GCM under a key of that name, bound to the context. */
export const sealingWith = (name: string): Sealing => {
  const key = createHash('sha256').update(name).digest()
  const open: Sealing['open'] = (sealed, context) =>
    O.tryCatch(() => {
      const bytes = Buffer.from(sealed.slice(name.length), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return decipher.update(bytes.subarray(28)).toString('utf8') + decipher.final('utf8')
    })
  return {
    open,
    openEarlier: open,
    isCurrent: (sealed) => sealed.startsWith(name),
    seal: (plain, context) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return name + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
    },
  }
}
