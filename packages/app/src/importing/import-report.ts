// The report of an import: broken records at once, all else counted, in a bounded memory.
import { leftOutTexts } from '@clientele/domain'
import type { Output } from '../observing/log.js'
import { printable } from '../observing/printable.js'
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

const counted = (counts: ReadonlyMap<string, number>, outcome: string): number => counts.get(outcome) ?? 0

const summaryText = (counts: ReadonlyMap<string, number>, { pass, broken }: ImportResult, dryRun: boolean): string => {
  const of = (outcome: string): string => counted(counts, outcome).toLocaleString('en')
  const numbers = `${of('added')} new, ${of('replaced')} replaced, ${of('equal')} there already, ${of('left_out')} left out, ${of('broken')} broken`
  if (pass === 'written') return `Imported: ${numbers}`
  if (dryRun) return `Nothing was written. An import would have: ${numbers}`
  return broken > 0
    ? `Nothing was written, because of the broken records: ${numbers}. Correct them, or choose --only-valid`
    : `Nothing was written: ${numbers}`
}

type Collected = { readonly counts: Map<string, number>; readonly reasons: Summaries; readonly notes: Summaries }

const collect = ({ counts, reasons, notes }: Collected, report: RecordReport): void => {
  counts.set(report.outcome, counted(counts, report.outcome) + 1)
  const example = report.client_id ?? `line ${report.line}`
  if (report.reason !== undefined) summarize(reasons, leftOutTexts[report.reason], example)
  for (const { description } of report.notes) summarize(notes, description, example)
}

const clear = ({ counts, reasons, notes }: Collected): void => {
  for (const each of [counts, reasons, notes]) each.clear()
}

/** For people: broken records as they are found, and the rest as numbers with examples. */
export const importReport = (output: Output, dryRun: boolean): ImportReport => {
  const collected: Collected = { counts: new Map(), reasons: new Map(), notes: new Map() }
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
        summaryText(counts, result, dryRun),
      ]
      output.write(`${parts.join('\n')}\n`)
    },
  }
}
