import type { Output } from '../observing/log.js'
import { printableJson } from '../text.js'
import type { ImportReport, ParkedFrom } from './import-report.js'
import type { Pass, RecordReport } from './run-import.js'

const countOf = (counts: ReadonlyMap<string, number>, outcome: string): number => counts.get(outcome) ?? 0

const saysSomething = ({ outcome, notes }: RecordReport): boolean =>
  outcome === 'broken' || outcome === 'left_out' || notes.length > 0

/** For programs: one JSON value, with every record that is not stored exactly as it is in the file. */
export const importReportAsJson = (output: Output, dryRun: boolean, parkedFrom: ParkedFrom): ImportReport => {
  let waiting = 0
  const counts = new Map<string, number>()
  let separator = '{"records":[\n'
  let present: Pass | undefined = undefined
  return {
    record: (report, pass) => {
      if (pass !== present) {
        counts.clear()
        waiting = 0
      }
      if (report.waits) waiting += 1
      present = pass
      counts.set(report.outcome, countOf(counts, report.outcome) + 1)
      if (!saysSomething(report) || (pass === 'judged' && !dryRun && report.outcome !== 'broken')) return
      output.write(`${separator}${printableJson(report)}`)
      separator = ',\n'
    },
    end: ({ pass }) => {
      const of = (outcome: string): number => countOf(counts, outcome)
      const summary = {
        written: pass === 'written',
        added: of('added'),
        replaced: of('replaced'),
        equal: of('equal'),
        left_out: of('left_out'),
        broken: of('broken'),
        ...(waiting === 0 || parkedFrom === undefined ? {} : { unused_open: waiting, parked_from: parkedFrom }),
      }
      output.write(`${separator === ',\n' ? '' : separator}],"summary":${JSON.stringify(summary)}}\n`)
    },
  }
}
