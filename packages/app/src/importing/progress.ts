// Progress of long work, for an operator at a terminal.
import type { Output } from '../observing/log.js'

export type Progress = {
  readonly advance: (doing: string) => void
  /** Removes the line. */
  readonly end: () => void
}

const interval = 500
const silent: Progress = { advance: () => undefined, end: () => undefined }

/** One line that is written again twice a second; nothing where the output is no terminal. */
export const progressOn = (output: Output): Progress => {
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
