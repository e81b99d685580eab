// Progress of long work, for an operator at a terminal: a bar where its end is known, else the count so far.
import type { Output } from './observing/log.js'

export type Progress = {
  /** `work` names what is done; without `all`, its end is not known. */
  readonly show: (work: string, done: number, all?: number) => void
  /** Removes what was drawn. */
  readonly end: () => void
}

const width = 30

/** Milliseconds between two counts. */
const interval = 500

const percentOf = (done: number, all: number): number => (all === 0 ? 100 : Math.floor((done * 100) / all))

const counts = (done: number, all: number): string =>
  `${done.toLocaleString('en')} of ${all.toLocaleString('en')} (${percentOf(done, all)} %)`

const bar = (done: number, all: number): string => {
  const filled = Math.floor((percentOf(done, all) * width) / 100)
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${counts(done, all)}`
}

/** On a terminal, one line that is written again; otherwise a line for each tenth of what has an end. */
export const createProgress = (output: Output): Progress => {
  const shown = { work: '', tenth: -1, length: 0, began: 0, at: 0 }
  const draw = (line: string): void => {
    output.write(`\r${line.padEnd(shown.length)}`)
    shown.length = line.length
  }
  const count = (work: string, done: number): void => {
    const now = performance.now()
    if (work !== shown.work) Object.assign(shown, { work, began: now, at: now })
    if (now - shown.at < interval) return
    shown.at = now
    const rate = Math.round(done / ((now - shown.began) / 1000))
    draw(`${work}: ${done.toLocaleString('en')} records, ${rate.toLocaleString('en')} a second`)
  }
  const write = (work: string, done: number, all: number): void => {
    const tenth = Math.floor(percentOf(done, all) / 10)
    if (tenth === shown.tenth && work === shown.work) return
    shown.tenth = tenth
    shown.work = work
    output.write(`${work}: ${counts(done, all)}\n`)
  }
  const isTerminal = output.isTTY === true
  return {
    show: (work, done, all) => {
      if (!isTerminal) {
        if (all !== undefined) write(work, done, all)
      } else if (all === undefined) count(work, done)
      else draw(`${work} ${bar(done, all)}`)
    },
    end: () => {
      if (shown.length > 0) output.write(`\r${' '.repeat(shown.length)}\r`)
    },
  }
}
