// The account of an endurance run, as a table, with the promises that it breaks.
import { type Judgement, judge } from './judge.js'
import type { Entry, Fault, Journal } from './journal.js'

/** Milliseconds from the end of a fault to the first acknowledged write. */
const maxRecovery = 2_000

type Row = { readonly name: string; readonly value: string; readonly isBroken?: boolean }

const faults: ReadonlyArray<Fault> = [
  'instance killed',
  'database crashed',
  'database read-only',
  'tables locked',
  'failover',
]

const countOf = (entries: ReadonlyArray<Entry>, ...kinds: ReadonlyArray<Entry['kind']>): string =>
  `${entries.filter(({ kind }) => kinds.includes(kind)).length}`

const none = (name: string, found: ReadonlyArray<string>): Row => ({
  name,
  value: [`${found.length}`, ...found.slice(0, 5)].join('; '),
  isBroken: found.length > 0,
})

const counts = ({ entries }: Journal): ReadonlyArray<Row> => [
  { name: 'acknowledged registrations', value: countOf(entries, 'registered') },
  { name: 'acknowledged updates', value: countOf(entries, 'updated') },
  { name: 'acknowledged deletions', value: countOf(entries, 'deleted') },
  {
    name: 'writes in doubt (no answer, or 503)',
    value: countOf(entries, 'registration_in_doubt', 'update_in_doubt', 'deletion_in_doubt'),
  },
]

const promises = ({ keySets, unexpected }: Journal, judgement: Judgement): ReadonlyArray<Row> => [
  none('acknowledged and lost', judgement.lost),
  none('initial access tokens used twice', judgement.usedTwice),
  none('old registration access tokens accepted', judgement.oldAccepted),
  none('unexpected answers', unexpected),
  {
    name: '/jwks.json answered, of those that reached a live instance',
    value: `${keySets.answered} of ${keySets.requested}`,
    isBroken: keySets.requested === 0 || keySets.answered < keySets.requested,
  },
]

const recoveriesOf = ({ faults: happened, recoveries }: Journal, fault: Fault): Row => {
  const times = recoveries.filter((each) => each.fault === fault).map(({ milliseconds }) => milliseconds)
  const after = times.length === 0 ? '' : `; first success after ${times.map((each) => each.toFixed(0)).join(', ')} ms`
  return {
    name: fault,
    value: `${happened.filter((each) => each === fault).length}${after}`,
    isBroken: times.some((each) => each > maxRecovery),
  }
}

export type Account = { readonly text: string; readonly isBroken: boolean }

export const accountOf = (journal: Journal): Account => {
  const rows = [
    ...counts(journal),
    ...promises(journal, judge(journal.entries)),
    ...faults.map((fault) => recoveriesOf(journal, fault)),
  ]
  const lines = rows.map(
    ({ name, value, isBroken }) => `| ${name} | ${value}${isBroken === true ? ' **broken**' : ''} |`,
  )
  return {
    text: ['| | |', '|---|---|', ...lines, ''].join('\n'),
    isBroken: rows.some(({ isBroken }) => isBroken === true),
  }
}
