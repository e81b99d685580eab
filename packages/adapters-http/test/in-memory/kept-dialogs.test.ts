import { type OfferedDialog, EpochSeconds } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keptDialogs } from '../../src/in-memory/kept-dialogs.js'
import { hashToken } from '../support/in-memory-ports.js'
import { right } from '../support/keys.js'

const dialogs = suite('kept dialogs')

const seconds = (value: number) => right(EpochSeconds.decode(value))

const dialogUntil = (until: number): OfferedDialog => ({
  id: hashToken('id'),
  browser: hashToken('browser'),
  session: { kind: 'nobody' },
  asked: undefined,
  expires_at: seconds(until),
})

const keeping = () => {
  const clock = { now: 1_000, drawn: 0 }
  const { sealDialog, openDialog } = keptDialogs({
    now: () => seconds(clock.now),
    identifier: () => `value${(clock.drawn += 1)}`,
  })
  const isKept = (value: string): boolean => O.isSome(openDialog(value)())
  return { clock, isKept, seal: (until: number) => sealDialog(dialogUntil(until))(), openDialog }
}

dialogs('each is opened by its value, as often as it is asked for, and nothing by another one', () => {
  const { seal, openDialog } = keeping()
  const [one, other] = [seal(1_600), seal(1_700)]
  for (const value of [one, one]) assert.equal(openDialog(value)(), O.some(dialogUntil(1_600)))
  assert.equal(openDialog(other)(), O.some(dialogUntil(1_700)))
  for (const value of ['', 'value', `${one}x`, '__proto__']) assert.equal(openDialog(value)(), O.none)
})

dialogs('those that have expired are forgotten when another one comes', () => {
  const { clock, seal, isKept } = keeping()
  const [early, late] = [seal(1_600), seal(1_601)]
  clock.now = 1_600
  const last = seal(2_200)
  assert.equal([early, late, last].map(isKept), [false, true, true])
})

dialogs('of more than ten thousand the oldest go', () => {
  const { seal, isKept } = keeping()
  const values = Array.from({ length: 10_003 }, () => seal(1_600))
  assert.equal(
    values.filter((value) => !isKept(value)),
    values.slice(0, 3),
  )
})

dialogs.run()
