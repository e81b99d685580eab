// The confirmation pages of a logout, which are sealed and not stored.
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { type EpochSeconds, epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import type { OfferedConfirmation } from '@clientele/domain/logout'
import type { LogoutConfirmations } from '@clientele/domain/ports'
import { anyAnswer } from '../arbitraries/logout.js'
import { runParameters } from '../property-runs.js'
import { exampleHash } from '../examples.js'
import { type Contract, collect } from './contract.js'

export type OpenLogoutConfirmations = (now: () => EpochSeconds) => LogoutConfirmations

const noon = epochSeconds(20_000.5 * 86_400_000)

const example: OfferedConfirmation = {
  id: exampleHash('dialog'),
  browser: exampleHash('browser'),
  session: { kind: 'nobody' },
  requested: undefined,
  expires_at: secondsAfter(noon, 600),
}

// An undefined member may also be left out.
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The promises of LogoutConfirmations; `open` receives the clock. */
export const logoutConfirmationsContract = (name: string, open: OpenLogoutConfirmations): Contract => {
  const { test: it, tests } = collect(`LogoutConfirmations ${name}`)
  const confirmations = open(() => noon)
  const isOpened = async (value: string): Promise<boolean> => O.isSome(await confirmations.openConfirmation(value)())

  it('any dialog opens as it was sealed, as often as it is asked for', () =>
    fc.assert(
      fc.asyncProperty(anyAnswer(), async ({ confirmation }) => {
        const value = await confirmations.sealConfirmation(confirmation)()
        for (const opened of [
          await confirmations.openConfirmation(value)(),
          await confirmations.openConfirmation(value)(),
        ])
          assert.equal(plain(O.toUndefined(opened)), plain(confirmation))
      }),
      runParameters(),
    ))

  it('nothing opens that was not sealed, whatever the text is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => !(await isOpened(text))),
      runParameters(),
    )
    const value = await confirmations.sealConfirmation(example)()
    for (const each of ['', '.', `${value}.`, `${value}x`, ` ${value}`, value.slice(0, -1), `${value}=`])
      assert.not.ok(await isOpened(each), each)
  })

  it('a text of which one character is another one does not open', async () => {
    const value = await confirmations.sealConfirmation(example)()
    await fc.assert(
      fc.asyncProperty(fc.nat(value.length - 1), fc.constantFrom('A', 'B', '-', '0', '.'), async (at, other) => {
        fc.pre(value[at] !== other)
        return !(await isOpened(value.slice(0, at) + other + value.slice(at + 1)))
      }),
      runParameters(),
    )
  })

  it('however many dialogs are asked for, none is pushed out by them', async () => {
    const first = await confirmations.sealConfirmation(example)()
    for (let requested = 0; requested < 10_050; requested += 1) await confirmations.sealConfirmation(example)()
    assert.ok(await isOpened(first))
  })

  it('no two texts are alike, though the dialog is the same', async () => {
    assert.is.not(await confirmations.sealConfirmation(example)(), await confirmations.sealConfirmation(example)())
  })

  it('a dialog that is offered before midnight opens after it', async () => {
    const clock = { now: epochSeconds(20_001 * 86_400_000 - 1_000) }
    const { sealConfirmation, openConfirmation } = open(() => clock.now)
    const value = await sealConfirmation(example)()
    clock.now = secondsAfter(clock.now, 600)
    assert.ok(O.isSome(await openConfirmation(value)()))
  })

  return tests
}
