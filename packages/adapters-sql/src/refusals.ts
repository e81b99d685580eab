// What was refused lately: the counts of groups, and the last refusals. Nothing of it is sealed, because nothing is decided by it.
import { ClientId } from '@clientele/domain/client'
import { EpochSeconds } from '@clientele/domain/kernel'
import { doors } from '@clientele/domain/life-cycle'
import {
  type CountedRefusals,
  type Refused,
  addCounts,
  groupOf,
  maxRefusals,
  refusalSenders,
  refusalsSince,
} from '@clientele/domain/managing'
import type { Refusals } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { change, insertion, replacement, select, together } from './statement.js'
import { oneOf, orNull } from './table.js'
import { type Engine, type Tx, readOn, verb } from './verb.js'

const group = { door: oneOf(doors), rule: t.string, sender: oneOf(refusalSenders) }
const counted = { ...group, software: t.string, times: t.number, first_at: EpochSeconds, last_at: EpochSeconds }
const refused = { ...group, at: EpochSeconds, software: t.string, rules: t.string, client_id: orNull(ClientId) }

const ofGroup = { door: 'text', rule: 'text', sender: 'text' } as const
const countTypes = { ...ofGroup, software: 'text', times: 'number', first_at: 'number', last_at: 'number' } as const
const refusalTypes = { ...ofGroup, at: 'number', software: 'text', rules: 'text', client_id: 'text' } as const

const isOfGroup = 'door = :door AND rule = :rule AND sender = :sender'
const countsOf = together(select(counted, `refusal_counts WHERE ${isOfGroup}`, ofGroup))
const storeCount = replacement('refusal_counts', countTypes, ['door', 'rule', 'sender', 'software'])
const forgetCount = together(
  change(`DELETE FROM refusal_counts WHERE ${isOfGroup} AND software = :software`, { ...ofGroup, software: 'text' }),
)
const forgetCounts = change('DELETE FROM refusal_counts WHERE last_at < :since', { since: 'number' })
const insertRefusal = insertion('refusals', refusalTypes, ['at'])
// As latestRefusals has it.
const forgetRefusals = change(
  `
DELETE FROM refusals WHERE at < :since OR ordinal NOT IN (
  SELECT ordinal FROM (
    SELECT ordinal, row_number() OVER (PARTITION BY door, rule, sender ORDER BY ordinal DESC) AS place FROM refusals
  ) AS placed ORDER BY place, ordinal DESC LIMIT ${maxRefusals})`,
  { since: 'number' },
)
const allCounts = select(counted, 'refusal_counts ORDER BY door, rule, sender, software', {})
const allRefusals = select(refused, 'refusals ORDER BY ordinal', {})

const keyOf = (each: CountedRefusals): string => `${groupOf(each)} ${each.software}`

const add = async (tx: Tx, observed: ReadonlyArray<CountedRefusals>): Promise<void> => {
  const groups = new Map(observed.map((each) => [groupOf(each), each]))
  const stored = (await Promise.all([...groups.values()].map(async (each) => tx.all(countsOf, each)))).flat()
  const next = addCounts([...stored, ...observed])
  const kept = new Set(next.map(keyOf))
  await Promise.all([
    ...next.map(async (each) => tx.run(storeCount, each)),
    ...stored.filter((each) => !kept.has(keyOf(each))).map(async (each) => tx.run(forgetCount, each)),
  ])
}

const written = ({ rules, client_id, ...refusal }: Refused) => ({
  ...refusal,
  rules: rules.join(' '),
  client_id: client_id ?? null,
})

const read = ({ rules, client_id, ...refusal }: t.TypeOfProps<typeof refused>): Refused => ({
  ...refusal,
  rules: rules === '' ? [] : rules.split(' '),
  ...(client_id === null ? {} : { client_id }),
})

export const createRefusals = (engine: Engine): Refusals => ({
  recordRefusals: ({ counts, refusals }, at) =>
    engine.write(
      verb({ changes: ['refusals'] }, async (tx) => {
        await add(tx, counts)
        await Promise.all(refusals.map(async (each) => tx.run(insertRefusal, written(each))))
        const since = refusalsSince(at)
        await tx.run(forgetCounts, { since })
        await tx.run(forgetRefusals, { since })
        return E.right(undefined)
      }),
    ),
  listRefusals: readOn(engine, async ({ all }) => ({
    counts: await all(allCounts, {}),
    refusals: (await all(allRefusals, {})).map(read),
  })),
})
