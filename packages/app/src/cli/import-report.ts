// The report of an import, in a bounded memory: broken records at once, all else counted.
import { leftOutTexts } from '@clientele/domain/importing'
import type { EpochSeconds } from '@clientele/domain/kernel'
import { counted, printable, isoTime, printableJson } from '../text.js'
import type { Output } from '../observing/log.js'
import type { ImportResult, OnRecord, Pass, RecordReport } from './run-import.js'

type ImportReport = {
  readonly record: OnRecord
  readonly end: (result: ImportResult) => void
}

/** What the present pass has found. */
type Tally = {
  pass: Pass | undefined
  waiting: number
  readonly counts: Map<RecordReport['outcome'], number>
  readonly reasons: Summaries
  readonly notes: Summaries
}

/** How often each text applies, with the first records that it applies to. */
type Summaries = Map<string, { count: number; readonly examples: Array<string> }>

const newTally = (): Tally => ({ pass: undefined, waiting: 0, counts: new Map(), reasons: new Map(), notes: new Map() })

const maxExamples = 3
const maxKinds = 200

const summarize = (summaries: Summaries, name: string, example: string): void => {
  const known = summaries.get(name)
  if (known === undefined && summaries.size >= maxKinds) return
  const summary = known ?? { count: 0, examples: [] }
  summary.count += 1
  if (summary.examples.length < maxExamples) summary.examples.push(example)
  summaries.set(name, summary)
}

const tally = (found: Tally, report: RecordReport, pass: Pass): void => {
  if (pass !== found.pass) Object.assign(found, newTally(), { pass })
  if (report.waits) found.waiting += 1
  found.counts.set(report.outcome, (found.counts.get(report.outcome) ?? 0) + 1)
  const example = report.client_id ?? `line ${report.line}`
  if (report.reason !== undefined) summarize(found.reasons, leftOutTexts[report.reason], example)
  for (const { description } of report.notes) summarize(found.notes, description, example)
}

const brokenText = ({ line, client_id, faults }: RecordReport): string =>
  [
    printable(client_id === undefined ? `line ${line}` : `line ${line}, client_id ${client_id}`),
    ...faults.map(({ rule, pointer, description }) =>
      printable(`  ${pointer === '' ? '' : `${pointer}  `}${rule}: ${description}`),
    ),
  ].join('\n')

const section = (title: string, summaries: Summaries): ReadonlyArray<string> => {
  if (summaries.size === 0) return []
  const lines = [...summaries].map(([name, { count, examples }]) => {
    const more = count > examples.length ? ', …' : ''
    return printable(`  ${count}  ${name} (${examples.join(', ')}${more})`)
  })
  return [title, ...lines]
}

const summaryText = ({ counts }: Tally, { pass, broken }: ImportResult, dryRun: boolean): string => {
  const of = (outcome: RecordReport['outcome']): string => (counts.get(outcome) ?? 0).toLocaleString('en')
  const numbers = `${of('added')} new, ${of('replaced')} replaced, ${of('equal')} there already, ${of('left_out')} left out, ${of('broken')} broken`
  if (pass === 'written') return `Imported: ${numbers}`
  if (dryRun) return `Nothing was written. An import would have: ${numbers}`
  return broken > 0
    ? `Nothing was written, because of the broken records: ${numbers}. Correct them, or choose --only-valid`
    : `Nothing was written: ${numbers}`
}

const parkedText = (waiting: number, parkedFrom: EpochSeconds): string =>
  `${counted(waiting, 'unused client', 'unused clients')} of open registration: parked from ${isoTime(parkedFrom)} on at the earliest, by unused-open-parked-after; an imported client is never removed by the service itself`

const maxShown = 100

/** For people: broken records as they are found, and the rest as numbers with examples. */
export const importReport = (output: Output, dryRun: boolean, parkedFrom: EpochSeconds | undefined): ImportReport => {
  const found = newTally()
  let shown = 0
  return {
    record: (report, pass) => {
      tally(found, report, pass)
      if (report.outcome !== 'broken') return
      shown += 1
      if (shown <= maxShown) output.write(`${brokenText(report)}\n`)
    },
    end: (result) => {
      const parts = [
        ...(shown > maxShown ? [`… and ${(shown - maxShown).toLocaleString('en')} more: --json names them all`] : []),
        ...section('Left out:', found.reasons),
        ...section('Not as in the file, or not done by this service:', found.notes),
        ...(found.waiting === 0 || parkedFrom === undefined ? [] : [parkedText(found.waiting, parkedFrom)]),
        summaryText(found, result, dryRun),
      ]
      output.write(`${parts.join('\n')}\n`)
    },
  }
}

/** For programs: one JSON value, with every record that is not stored exactly as it is in the file. */
export const importReportAsJson = (
  output: Output,
  dryRun: boolean,
  parkedFrom: EpochSeconds | undefined,
): ImportReport => {
  const found = newTally()
  let separator = '{"records":[\n'
  return {
    record: (report, pass) => {
      tally(found, report, pass)
      const { outcome, notes } = report
      const saysSomething = outcome === 'broken' || outcome === 'left_out' || notes.length > 0
      if (!saysSomething || (pass === 'judged' && !dryRun && outcome !== 'broken')) return undefined
      const text = `${separator}${printableJson(report)}`
      separator = ',\n'
      // No slow reader fills the memory.
      return new Promise((resolve) => output.write(text, resolve))
    },
    end: ({ pass }) => {
      const of = (outcome: RecordReport['outcome']): number => found.counts.get(outcome) ?? 0
      const summary = {
        written: pass === 'written',
        added: of('added'),
        replaced: of('replaced'),
        equal: of('equal'),
        left_out: of('left_out'),
        broken: of('broken'),
        ...(found.waiting === 0 || parkedFrom === undefined
          ? {}
          : { unused_open: found.waiting, parked_from: parkedFrom }),
      }
      output.write(`${separator === ',\n' ? '' : separator}],"summary":${JSON.stringify(summary)}}\n`)
    },
  }
}
