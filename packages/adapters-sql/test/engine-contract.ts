// What verbs may rely on, of either database: two handles on one new store, and the table secrets to write to.
import type { AuditRow } from '@clientele/domain/audit'
import { done, exampleHash, exampleTime } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  type Engine,
  type Names,
  type Shared,
  type Tx,
  change,
  insertion,
  returning,
  statement,
  together,
  verb,
} from '../src/index.js'

export type OpenedEngines = { readonly one: Engine; readonly other: Engine }

const secret = { name: 'text', sealed: 'text' } as const
const Secret = t.type({ name: t.string, sealed: t.string })
const insert = insertion('secrets', secret, ['name'], 'ON CONFLICT DO NOTHING')
const insertReturning = returning('secrets', secret, ['name'], { sealed: t.string })
const upsert = insertion('secrets', secret, ['name'], 'ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed')
const replace = together(change('UPDATE secrets SET sealed = :sealed WHERE name = :name', secret))
const remove = together(change('DELETE FROM secrets WHERE name = :name', { name: 'text' }))
const find = together(statement('SELECT name, sealed FROM secrets WHERE name = :name', { name: 'text' }, Secret))
const list = statement('SELECT name, sealed FROM secrets ORDER BY name', {}, Secret)
const taken = statement(
  "SELECT count(*) AS taken, :max AS max FROM secrets WHERE name LIKE 'place%'",
  { max: 'number' },
  t.type({ taken: t.number }),
)
const fault = change(
  { sqlite: 'INSERT INTO secrets (name) VALUES (NULL)', postgresql: 'INSERT INTO secrets VALUES (NULL)' },
  {},
)

const refused = { error: 'refused' } as const

/** Runs in a verb, which names nothing else. */
const run = <Refusal, Result>(
  engine: Engine,
  work: (tx: Tx) => Promise<E.Either<Refusal, Result>>,
  names: Names = {},
) => engine.write(verb(names, work))()

const keep = (engine: Engine, name: string, sealed = 'a value') =>
  run(engine, async (tx) => E.right(await tx.run(insert, { name, sealed })))

const names = async (engine: Engine): Promise<ReadonlyArray<string>> =>
  (await done(engine.all(list, {}))).map(({ name }) => name)

const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

const row: AuditRow = {
  at: exampleTime,
  client_id: null,
  actor: 'master',
  actor_name: null,
  entry: '{}',
  mac: exampleHash('noted'),
}
const noted = statement('SELECT mac FROM audit_rows', {}, t.type({ mac: t.string }))

type Case = { readonly name: string; readonly run: (engines: OpenedEngines) => Promise<void> }

export const engineContract: ReadonlyArray<Case> = [
  {
    name: 'verbs that arrive together have their own answers, and see what was written before them',
    run: async ({ one, other }) => {
      await Promise.all(numbers(50).map((index) => keep(one, `name-${100 + index}`, `${index}`)))
      const found = await Promise.all(
        numbers(60).map((index) =>
          run(other, async (tx) => E.right((await tx.get(find, { name: `name-${100 + index}` }))?.sealed)),
        ),
      )
      assert.equal(
        found,
        numbers(60).map((index) => E.right(index < 50 ? `${index}` : undefined)),
      )
    },
  },
  {
    name: 'a row that is there is not inserted again, and the others of the turn are',
    run: async ({ one }) => {
      await keep(one, 'b')
      const added = await Promise.all(['a', 'b', 'c'].map((name) => keep(one, name)))
      assert.equal(added, [E.right(1), E.right(0), E.right(1)])
    },
  },
  {
    name: 'replacing and removing answer for each call whether there was a row',
    run: async ({ one }) => {
      await keep(one, 'a')
      await keep(one, 'b')
      const replaced = await Promise.all(
        ['a', 'x'].map((name) => run(one, async (tx) => E.right(await tx.run(replace, { name, sealed: 'anew' })))),
      )
      assert.equal(replaced, [E.right(1), E.right(0)])
      const removed = await Promise.all(
        ['x', 'b'].map((name) => run(one, async (tx) => E.right(await tx.run(remove, { name })))),
      )
      assert.equal(removed, [E.right(0), E.right(1)])
      assert.equal(await done(one.all(list, {})), [{ name: 'a', sealed: 'anew' }])
    },
  },
  {
    name: 'a refusal undoes what its verb wrote, and nothing of the others',
    run: async ({ one, other }) => {
      const outcomes = await Promise.all(
        numbers(9).map((index) =>
          run(one, async (tx) => {
            await tx.run(insert, { name: `name-${index}`, sealed: 'a value' })
            await tx.note(index === 4 ? row : undefined)
            return index === 4 ? E.left(refused) : E.right(index)
          }),
        ),
      )
      assert.equal(
        outcomes,
        numbers(9).map((index) => (index === 4 ? E.left(refused) : E.right(index))),
      )
      assert.equal(
        await names(other),
        numbers(9)
          .filter((index) => index !== 4)
          .map((index) => `name-${index}`),
      )
      assert.equal(await done(other.all(noted, {})), [])
    },
  },
  {
    name: 'a refusal undoes what its verb wrote by a statement that returns its row',
    run: async ({ one, other }) => {
      const outcome = await run(one, async (tx) =>
        E.left((await tx.get(insertReturning, { name: 'a', sealed: 'a value' }))?.sealed),
      )
      assert.equal(outcome, E.left('a value'))
      assert.equal(await names(other), [])
    },
  },
  {
    name: 'a verb that fails is unavailable and leaves nothing, and the others are written',
    run: async ({ one, other }) => {
      const failing = async (tx: Tx) => {
        await tx.run(insert, { name: 'half', sealed: 'a value' })
        return E.right(await tx.run(fault, {}))
      }
      const throwing = async (tx: Tx) => {
        await tx.run(insert, { name: 'half too', sealed: 'a value' })
        throw new Error('a fault of the verb')
      }
      const outcomes = await Promise.all([keep(one, 'a'), run(one, failing), run(one, throwing), keep(one, 'b')])
      assert.equal(
        outcomes.map((outcome) => (E.isLeft(outcome) ? 'unavailable' : outcome.right)),
        [1, 'unavailable', 'unavailable', 1],
      )
      assert.equal(await names(other), ['a', 'b'])
    },
  },
  {
    name: 'no more places are taken than there are, through two handles at once',
    run: async ({ one, other }) => {
      const take = (engine: Engine, index: number) =>
        run(
          engine,
          async (tx) => {
            if (!(await tx.take({ taken, max: 7 }))) return E.left(refused)
            return E.right(await tx.run(insert, { name: `place-${index}`, sealed: 'a value' }))
          },
          { changes: [`place ${index}`], counts: ['places'] },
        )
      const outcomes = await Promise.all(numbers(30).map((index) => take(index % 3 === 0 ? other : one, index)))
      assert.is(outcomes.filter(E.isRight).length, 7)
      assert.is((await names(one)).length, 7)
    },
  },
  {
    name: 'a verb that sees a place left is not refused, although it had counted before',
    run: async ({ one }) => {
      await keep(one, 'place 0')
      const taking = run(
        one,
        async (tx) => {
          await tx.room({ taken, max: 1 })
          const seen = await tx.get(find, { name: 'place 0' })
          if (await tx.take({ taken, max: 1 }))
            return E.right(await tx.run(insert, { name: 'place 1', sealed: 'a value' }))
          return E.left(seen)
        },
        { counts: ['places'] },
      )
      await run(one, async (tx) => E.right(await tx.run(remove, { name: 'place 0' })))
      const outcome = await taking
      assert.ok(E.isRight(outcome) || outcome.left !== undefined)
      assert.equal(await names(one), E.isRight(outcome) ? ['place 1'] : [])
    },
  },
  {
    name: 'each verb is within its own limit, whatever those of its batch have',
    run: async ({ one }) => {
      const take = (max: number, name: string) =>
        run(
          one,
          async (tx) => {
            if (!(await tx.take({ taken, max }))) return E.left(refused)
            return E.right(await tx.run(insert, { name, sealed: 'a value' }))
          },
          { changes: [name], counts: ['places'] },
        )
      // It takes a place, so that each answer is the same in any order: verbs of different limits are run one by one.
      await keep(one, 'place before')
      const limits = [Infinity, 1, 5, 1, Infinity]
      const outcomes = await Promise.all(limits.map((max, index) => take(max, `place ${index}`)))
      assert.equal(
        outcomes.map((outcome) => E.isRight(outcome)),
        [true, false, true, false, true],
      )
    },
  },
  {
    name: 'verbs that change one thing come one after the other, through two handles at once',
    run: async ({ one, other }) => {
      await keep(one, 'sum', '0')
      const increase = (engine: Engine) =>
        run(
          engine,
          async (tx) => {
            const { sealed = '' } = (await tx.get(find, { name: 'sum' })) ?? {}
            return E.right(await tx.run(replace, { name: 'sum', sealed: `${Number(sealed) + 1}` }))
          },
          { changes: ['sum'] },
        )
      await Promise.all(numbers(40).map((index) => increase(index % 2 === 0 ? one : other)))
      assert.equal(await done(one.all(list, {})), [{ name: 'sum', sealed: '40' }])
    },
  },
  {
    name: 'of verbs that write one row in a turn, the last one counts, and each has written',
    run: async ({ one }) => {
      await keep(one, 'b')
      const written = await Promise.all(
        numbers(4).map((index) =>
          run(one, async (tx) =>
            E.right(await tx.run(upsert, { name: index % 2 === 0 ? 'a' : 'b', sealed: `${index}` })),
          ),
        ),
      )
      assert.equal(
        written,
        numbers(4).map(() => E.right(1)),
      )
      assert.equal(await done(one.all(list, {})), [
        { name: 'a', sealed: '2' },
        { name: 'b', sealed: '3' },
      ])
    },
  },
  {
    name: 'where one verb writes one row twice, the later write counts',
    run: async ({ one, other }) => {
      const written = await run(one, async (tx) =>
        E.right(await Promise.all(['first', 'later'].map(async (sealed) => tx.run(upsert, { name: 'a', sealed })))),
      )
      assert.equal(written, E.right([1, 1]))
      assert.equal(await done(other.all(list, {})), [{ name: 'a', sealed: 'later' }])
    },
  },
  {
    name: 'verbs of one transaction share what they count, and later ones see what is stored, through two handles',
    run: async ({ one, other }) => {
      const counter: Shared<{ sum: number }> = { make: () => ({ sum: 0 }) }
      const increase = (engine: Engine) =>
        run(
          engine,
          async (tx) => {
            const stored = await tx.get(find, { name: 'sum' })
            const shared = tx.share(counter)
            shared.sum = Math.max(shared.sum, Number(stored?.sealed ?? 0)) + 1
            return E.right(await tx.run(upsert, { name: 'sum', sealed: `${shared.sum}` }))
          },
          { counts: ['sum'] },
        )
      await Promise.all(numbers(40).map((index) => increase(index % 2 === 0 ? one : other)))
      assert.equal(await done(one.all(list, {})), [{ name: 'sum', sealed: '40' }])
    },
  },
  {
    name: 'a verb may name very much',
    run: async ({ one }) => {
      const many = numbers(3_000)
      const named = { changes: many.map((index) => `name ${index}`), relies: many.map((index) => `other ${index}`) }
      assert.equal(
        await run(one, async (tx) => E.right(await tx.run(insert, { name: 'a', sealed: 'b' })), named),
        E.right(1),
      )
    },
  },
  {
    name: 'several statements of a verb at once have their own answers',
    run: async ({ one }) => {
      const outcome = await run(one, async (tx) =>
        E.right(await Promise.all(['a', 'b', 'a'].map(async (name) => tx.run(insert, { name, sealed: 'a value' })))),
      )
      assert.ok(E.isRight(outcome))
      assert.equal(await names(one), ['a', 'b'])
    },
  },
  {
    name: 'a row that is not as it was written makes its reading unavailable',
    run: async ({ one }) => {
      await keep(one, 'a')
      const misread = statement('SELECT name, sealed FROM secrets', {}, t.type({ name: t.number }))
      for (const outcome of [await one.get(misread, {})(), await one.all(misread, {})()])
        assert.is(E.isLeft(outcome) && outcome.left.error, 'unavailable')
    },
  },
  {
    name: 'any text that is stored is found again, and text that cannot be stored is in no row',
    run: async ({ one, other }) => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'binary' }), async (name) => {
          const kept = await keep(one, name)
          const found = await other.get(find, { name })()
          assert.equal(found, E.right(E.isRight(kept) ? { name, sealed: 'a value' } : undefined))
        }),
        { numRuns: 30, examples: [['\0'], [':name'], ["'"], ['']] },
      )
    },
  },
  {
    name: 'what had begun is committed or undone once it is settled',
    run: async ({ one, other }) => {
      const writes = ['a', 'b', 'c'].map((name) => keep(one, name))
      await Promise.resolve()
      assert.ok(E.isRight(await other.settle()))
      await Promise.all(writes)
      assert.equal(await names(other), ['a', 'b', 'c'])
    },
  },
]
