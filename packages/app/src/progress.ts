// Progress of long work, for an operator at a terminal: a bar where its end is known, else the count so far.
import type { Output } from './observing/log.js'

export type Progress = {
  /** `work` names what is done. */
  readonly show: (work: string, done: number, all: number) => void
  /** Removes the bar. */
  readonly end: () => void
}

const width = 30

const percentOf = (done: number, all: number): number => (all === 0 ? 100 : Math.floor((done * 100) / all))

const counts = (done: number, all: number): string =>
  `${done.toLocaleString('en')} of ${all.toLocaleString('en')} (${percentOf(done, all)} %)`

const bar = (done: number, all: number): string => {
  const filled = Math.floor((percentOf(done, all) * width) / 100)
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${counts(done, all)}`
}

/** A bar on a terminal; otherwise a line for each tenth. */
export const createProgress = (output: Output): Progress => {
  const shown = { work: '', tenth: -1, length: 0 }
  const draw = (line: string): void => {
    output.write(`\r${line.padEnd(shown.length)}`)
    shown.length = line.length
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
    show: (work, done, all) => (isTerminal ? draw(`${work} ${bar(done, all)}`) : write(work, done, all)),
    end: () => {
      if (isTerminal && shown.length > 0) output.write(`\r${' '.repeat(shown.length)}\r`)
    },
  }
}

/** Of work whose end is not known. */
export type Counted = {
  readonly advance: (doing: string) => void
  /** Removes the line. */
  readonly end: () => void
}

const interval = 500
const silent: Counted = { advance: () => undefined, end: () => undefined }

/** One line that is written again twice a second; nothing where the output is no terminal. */
export const progressOn = (output: Output): Counted => {
  if (output.isTTY !== true) return silent
  let doing = ''
  let count = 0
  let began = performance.now()
  let shownAt = began
  const show = (now: number): void => {
    const rate = Math.round(count / Math.max(0.001, (now - began) / 1000))
    output.write(`\r\u001b[K${doing}: ${count.toLocaleString('en')} records, ${rate.toLocaleString('en')} a second`)
    shownAt = now
  }
  return {
    advance: (next) => {
      const now = performance.now()
      if (next !== doing) [doing, count, began] = [next, 0, now]
      count += 1
      if (now - shownAt >= interval) show(now)
    },
    end: () => void output.write('\r\u001b[K'),
  }
}
