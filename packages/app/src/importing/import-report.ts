// The report of an import: broken records at once, all else counted, in a bounded memory.
import { leftOutTexts } from '@clientele/domain/importing'
import type { EpochSeconds } from '@clientele/domain/kernel'
import { counted, printable, isoTime } from '../text.js'
import type { Output } from '../observing/log.js'
import type { ImportResult, OnRecord, Pass, RecordReport } from './run-import.js'

export type ImportReport = {
  readonly record: OnRecord
  readonly end: (result: ImportResult) => void
}

const maxShown = 100
const maxExamples = 3
const maxKinds = 200

type Counted = { count: number; readonly examples: Array<string> }
type Summaries = Map<string, Counted>

const summarize = (summaries: Summaries, name: string, example: string): void => {
  const known = summaries.get(name)
  if (known === undefined && summaries.size >= maxKinds) return
  const counted = known ?? { count: 0, examples: [] }
  counted.count += 1
  if (counted.examples.length < maxExamples) counted.examples.push(example)
  summaries.set(name, counted)
}

const nameOf = ({ line, client_id }: RecordReport): string =>
  client_id === undefined ? `line ${line}` : `line ${line}, client_id ${client_id}`

const brokenText = (report: RecordReport): string =>
  [
    printable(nameOf(report)),
    ...report.faults.map(({ rule, pointer, description }) =>
      printable(`  ${pointer === '' ? '' : `${pointer}  `}${rule}: ${description}`),
    ),
  ].join('\n')

const linesOf = (summaries: Summaries): ReadonlyArray<string> =>
  [...summaries].map(([name, { count, examples }]) => {
    const more = count > examples.length ? ', …' : ''
    return printable(`  ${count}  ${name} (${examples.join(', ')}${more})`)
  })

const countOf = (counts: ReadonlyMap<string, number>, outcome: string): number => counts.get(outcome) ?? 0

const summaryText = (counts: ReadonlyMap<string, number>, { pass, broken }: ImportResult, dryRun: boolean): string => {
  const of = (outcome: string): string => countOf(counts, outcome).toLocaleString('en')
  const numbers = `${of('added')} new, ${of('replaced')} replaced, ${of('equal')} there already, ${of('left_out')} left out, ${of('broken')} broken`
  if (pass === 'written') return `Imported: ${numbers}`
  if (dryRun) return `Nothing was written. An import would have: ${numbers}`
  return broken > 0
    ? `Nothing was written, because of the broken records: ${numbers}. Correct them, or choose --only-valid`
    : `Nothing was written: ${numbers}`
}

/** The earliest time at which the service parks unused clients of open registration that it gets now. */
export type ParkedFrom = EpochSeconds | undefined

const parkedText = (waiting: number, parkedFrom: EpochSeconds): string =>
  `${counted(waiting, 'unused client', 'unused clients')} of open registration: parked from ${isoTime(parkedFrom)} on at the earliest, by unused-open-parked-after; an imported client is never removed by the service itself`

type Collected = {
  waiting: number
  readonly counts: Map<string, number>
  readonly reasons: Summaries
  readonly notes: Summaries
}

const collect = (collected: Collected, report: RecordReport): void => {
  const { counts, reasons, notes } = collected
  if (report.waits) collected.waiting += 1
  counts.set(report.outcome, countOf(counts, report.outcome) + 1)
  const example = report.client_id ?? `line ${report.line}`
  if (report.reason !== undefined) summarize(reasons, leftOutTexts[report.reason], example)
  for (const { description } of report.notes) summarize(notes, description, example)
}

const clear = (collected: Collected): void => {
  collected.waiting = 0
  for (const each of [collected.counts, collected.reasons, collected.notes]) each.clear()
}

/** For people: broken records as they are found, and the rest as numbers with examples. */
export const importReport = (output: Output, dryRun: boolean, parkedFrom: ParkedFrom): ImportReport => {
  const collected: Collected = { waiting: 0, counts: new Map(), reasons: new Map(), notes: new Map() }
  let shown = 0
  let present: Pass | undefined = undefined
  return {
    record: (report, pass) => {
      if (pass !== present) clear(collected)
      present = pass
      collect(collected, report)
      if (report.outcome !== 'broken') return
      shown += 1
      if (shown <= maxShown) output.write(`${brokenText(report)}\n`)
    },
    end: (result) => {
      const { counts, reasons, notes } = collected
      const parts = [
        ...(shown > maxShown ? [`… and ${(shown - maxShown).toLocaleString('en')} more: --json names them all`] : []),
        ...(reasons.size === 0 ? [] : ['Left out:', ...linesOf(reasons)]),
        ...(notes.size === 0 ? [] : ['Not as in the file:', ...linesOf(notes)]),
        ...(collected.waiting === 0 || parkedFrom === undefined ? [] : [parkedText(collected.waiting, parkedFrom)]),
        summaryText(counts, result, dryRun),
      ]
      output.write(`${parts.join('\n')}\n`)
    },
  }
}
