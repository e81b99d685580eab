import { createSealedConfirmations, webConfirmationCiphers } from '@clientele/adapters-jose'
import { TokenHash } from '@clientele/domain/authorization'
import { EpochSeconds } from '@clientele/domain/kernel'
import type { OfferedConfirmation } from '@clientele/domain/logout'
import type { LogoutConfirmations } from '@clientele/domain/ports'
import { done, logoutConfirmationsContract, type OpenLogoutConfirmations } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createEncryption, nodeConfirmationCiphers } from '../../src/node/encryption.js'

const confirmations = suite('sealed dialogs')

const right = <Value>(decoded: E.Either<unknown, Value>): Value => {
  if (E.isLeft(decoded)) throw new Error('a bad example')
  return decoded.right
}

const day = 86_400
const seconds = (value: number): EpochSeconds => right(EpochSeconds.decode(value))
const clock = { now: 20_000 * day }
const now = (): EpochSeconds => seconds(clock.now)
const hash = (sign: string): TokenHash => right(TokenHash.decode(sign.repeat(43)))

const confirmation: OfferedConfirmation = {
  id: hash('A'),
  browser: hash('B'),
  session: { kind: 'nobody' },
  requested: undefined,
  expires_at: seconds(20_000 * day + 600),
}

const oldKey = randomBytes(32)
const newKey = randomBytes(32)
const sealedBy = (first: Buffer, ...others: ReadonlyArray<Buffer>): LogoutConfirmations =>
  createSealedConfirmations(nodeConfirmationCiphers(first, others), now)
const byOld = sealedBy(oldKey)
const byNew = sealedBy(newKey, oldKey)

const opened: OpenLogoutConfirmations = (now) =>
  createSealedConfirmations(nodeConfirmationCiphers(newKey, [oldKey]), now)
for (const { name, run } of logoutConfirmationsContract('with the encryption key', opened)) confirmations(name, run)

confirmations.before.each(() => void (clock.now = 20_000 * day))

// Its members had other names, so that its post-logout redirect would be lost.
confirmations('a page that was sealed before it named the registration of its client does not open', async () => {
  const earlier = nodeConfirmationCiphers(newKey, [])('logout dialogs of day 20000')
  const sealed = await earlier.encrypt(JSON.stringify(confirmation), '20000')()
  assert.equal(await byNew.openConfirmation(`20000.${sealed}`)(), O.none)
  const present = nodeConfirmationCiphers(newKey, [])('logout confirmations of day 20000')
  const resealed = await present.encrypt(JSON.stringify(confirmation), '20000')()
  assert.equal(await byNew.openConfirmation(`20000.${resealed}`)(), O.some(confirmation))
})

confirmations('what is sealed opens again, and with an older key as well', async () => {
  const value = await byOld.sealConfirmation(confirmation)()
  for (const each of [byOld, byNew]) assert.equal(await each.openConfirmation(value)(), O.some(confirmation))
  assert.equal(await byOld.openConfirmation(await byNew.sealConfirmation(confirmation)())(), O.none)
})

// Sealed by independent code, with WebCrypto and the key 0707…07.
const sealedApart =
  '20000.CQkJCQkJCQkJCQkJBCk1IsL0e8a7v3jPh1YnEx6PRGDO_JNSe72TWq6N3VVcX8oONd13NYdb7oux5v7D2H_Hr5wce9dQgAhYlNIzN2Igeiw2ffJg9S27gi1LMScuKxBT9trPnsdGA9KkjW9WkOGyMFcv6GCbtwUehj-zQryvk4pyYBZeupdDS68e4c9y7kh-f-hWIA8OZ0s5qJnB70VoewbXq9c9rxhBlHg1JlpbjXvLy0QDunb-pHVGbLQKCI9jq5b9VsaBgpzNAAl_fwSGlDqF2Bk'

confirmations('every instance that has the key opens it', async () => {
  const other = sealedBy(Buffer.alloc(32, 7))
  assert.equal(
    O.map(({ expires_at }: OfferedConfirmation) => expires_at)(await other.openConfirmation(sealedApart)()),
    O.some(1_728_000_600),
  )
})

confirmations('what Node seals WebCrypto opens, and the other way round', async () => {
  const byWeb = createSealedConfirmations(
    webConfirmationCiphers(() => Uint8Array.from(oldKey)),
    now,
  )
  for (const [one, other] of [
    [byOld, byWeb],
    [byWeb, byOld],
  ] as const)
    assert.equal(await other.openConfirmation(await one.sealConfirmation(confirmation)())(), O.some(confirmation))
})

confirmations('a dialog opens on its day and on the next, and on no other', async () => {
  const value = await byOld.sealConfirmation(confirmation)()
  for (const [passed, opens] of [
    [-1, false],
    [0, true],
    [1, true],
    [2, false],
  ] as const) {
    clock.now = (20_000 + passed) * day
    assert.is(O.isSome(await byOld.openConfirmation(value)()), opens)
  }
})

confirmations(
  'a value that was not sealed as a dialog does not open, and one that says another day neither',
  async () => {
    const value = await byOld.sealConfirmation(confirmation)()
    const stored = await done(createEncryption(oldKey, []).seal(JSON.stringify(confirmation), '20000'))
    for (const other of [
      stored,
      stored.replace(/^v2\.[^.]+/, '20000'),
      value.replace('20000.', '19999.'),
      `${value}.`,
      value.slice(0, -1),
    ])
      assert.equal(await byOld.openConfirmation(other)(), O.none)
  },
)

confirmations.run()
