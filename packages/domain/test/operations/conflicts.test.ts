// What an operation answers after it met other changes, and what must be durable before.
import { exampleClient, noPauses, noRow, only } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unavailable } from '../../src/kernel/refusals.js'
import { changeClient, createTurns } from '../../src/operations/conflicts.js'
import { clientChanged } from '../../src/ports/store.js'

const Conflicts = suite('changeClient')

const away = E.left(unavailable('the standby is away'))
const change = { next: exampleClient('a'), replacing: exampleClient('a'), audit: noRow }

type Decided = { readonly writes: boolean; readonly confirms?: boolean }

/** Meets so many other changes, each time it writes; what it decides is by the attempt. */
const run = async (meets: number, decide: (attempt: number) => Decided, isAway = false) => {
  const done = { attempts: 0, confirmed: 0, replaced: 0 }
  const outcome = await changeClient(
    only({
      ...createTurns(noPauses),
      replaceClient: () => {
        done.replaced += 1
        return done.replaced > meets ? TE.right(undefined) : TE.left(clientChanged)
      },
      confirmReads: async () => {
        done.confirmed += 1
        return isAway ? away : E.right(undefined)
      },
    }),
    'a',
    async (isFirst) => {
      assert.is(isFirst, done.attempts === 0)
      const { writes, ...decided } = decide((done.attempts += 1))
      return E.right({ answer: done.attempts, ...decided, ...(writes ? { change } : {}) })
    },
  )()
  return { outcome, ...done }
}

Conflicts('what is written is durable by itself, however many changes it met', async () => {
  for (const meets of [0, 1, 5])
    assert.equal(await run(meets, () => ({ writes: true })), {
      outcome: E.right(meets + 1),
      attempts: meets + 1,
      confirmed: 0,
      replaced: meets + 1,
    })
})

Conflicts('an answer of the first reading that writes nothing is not confirmed, unless it says so', async () => {
  const once = { attempts: 1, replaced: 0 }
  assert.equal(await run(0, () => ({ writes: false })), { outcome: E.right(1), ...once, confirmed: 0 })
  const confirms = () => ({ writes: false, confirms: true })
  assert.equal(await run(0, confirms), { outcome: E.right(1), ...once, confirmed: 1 })
  assert.equal(await run(0, confirms, true), { outcome: away, ...once, confirmed: 1 })
})

Conflicts('one that writes nothing after it met another change is confirmed once, unless it says not', async () => {
  const twice = { attempts: 2, replaced: 1 }
  const then = (confirms?: boolean) => (attempt: number) => ({
    writes: attempt === 1,
    ...(confirms === undefined ? {} : { confirms }),
  })
  for (const confirms of [undefined, true]) {
    assert.equal(await run(1, then(confirms)), { outcome: E.right(2), ...twice, confirmed: 1 })
    assert.equal(await run(1, then(confirms), true), { outcome: away, ...twice, confirmed: 1 })
  }
  assert.equal(await run(1, then(false), true), { outcome: E.right(2), ...twice, confirmed: 0 })
})

Conflicts.run()
