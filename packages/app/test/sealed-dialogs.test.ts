import type { OfferedDialog } from '@clientele/domain'
import { EpochSeconds, TokenHash } from '@clientele/domain'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSealing } from '../src/seal.js'
import { createSealedDialogs } from '../src/sealed-dialogs.js'

const dialogs = suite('sealed dialogs')

const right = <Value>(decoded: E.Either<unknown, Value>): Value => {
  if (E.isLeft(decoded)) throw new Error('a bad example')
  return decoded.right
}

const day = 86_400
const seconds = (value: number): EpochSeconds => right(EpochSeconds.decode(value))
const clock = { now: 20_000 * day }
const now = (): EpochSeconds => seconds(clock.now)
const hash = (sign: string): TokenHash => right(TokenHash.decode(sign.repeat(43)))

const dialog: OfferedDialog = {
  id: hash('A'),
  browser: hash('B'),
  session: { kind: 'nobody' },
  asked: undefined,
  expires_at: seconds(20_000 * day + 600),
}

const oldKey = randomBytes(32)
const newKey = randomBytes(32)
const byOld = createSealedDialogs(oldKey, [], now)
const byNew = createSealedDialogs(newKey, [oldKey], now)

dialogs.before.each(() => void (clock.now = 20_000 * day))

dialogs('what is sealed opens again, and with an older key as well', () => {
  const value = byOld.sealDialog(dialog)()
  for (const each of [byOld, byNew]) assert.equal(each.openDialog(value)(), O.some(dialog))
  assert.equal(byOld.openDialog(byNew.sealDialog(dialog)())(), O.none)
})

// Sealed apart from our code, with WebCrypto and the key 0707…07.
const sealedApart =
  '20000.CQkJCQkJCQkJCQkJe_8F2Nm5ZBCX0c1tsvf8ozsuLd-SbR2UdaL5clJ-U0IYimSYlZyrorPN7eOOCGec6xfLte48pt3zY9EWbeUHfbed6GjqOFRhEiuNghmZLfPgH51AI3wNj2n-ChY7SCGhJLEsk2xUDYlJuP9gUTdMIQoCou6vQ_lyZvNeroTJzE8uXhjNAzKP_yglkMdwVhMSSrYAkm9PuhDk8H6ZTkw_zKo67udrFJWZS_rez3ewyYJYKyu9tB4qkGMdhbi4ILg3NfsW3z5DjKM'

dialogs('every instance that has the key opens it', () => {
  const other = createSealedDialogs(Buffer.alloc(32, 7), [], now)
  assert.equal(
    O.map(({ expires_at }: OfferedDialog) => expires_at)(other.openDialog(sealedApart)()),
    O.some(1_728_000_600),
  )
})

dialogs('a dialog opens on its day and on the next, and on no other', () => {
  const value = byOld.sealDialog(dialog)()
  for (const [passed, opens] of [
    [-1, false],
    [0, true],
    [1, true],
    [2, false],
  ] as const) {
    clock.now = (20_000 + passed) * day
    assert.is(O.isSome(byOld.openDialog(value)()), opens)
  }
})

dialogs('a value that was not sealed as a dialog does not open, and one that says another day neither', () => {
  const value = byOld.sealDialog(dialog)()
  const stored = createSealing(oldKey, []).seal(JSON.stringify(dialog), '20000')
  for (const other of [
    stored,
    stored.replace(/^v2\.[^.]+/, '20000'),
    value.replace('20000.', '19999.'),
    `${value}.`,
    value.slice(0, -1),
  ])
    assert.equal(byOld.openDialog(other)(), O.none)
  fc.assert(fc.property(fc.string(), (any) => O.isNone(byOld.openDialog(any)())))
})

dialogs.run()
