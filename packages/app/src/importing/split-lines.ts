import { type SplitRecords, maxRecord } from './record.js'

/** Splits a file with one JSON value in each line; a line that is too long is dropped while it is read. */
export const splitLines = (): SplitRecords => {
  let line = 1
  let begun = ''
  let isTooLong = false
  const ended = (rest: string) => {
    const text = begun + rest
    const record = isTooLong || text.length > maxRecord ? { line } : { line, text }
    line += 1
    begun = ''
    isTooLong = false
    return record.text?.trim() === '' ? [] : [record]
  }
  return {
    push: (chunk) => {
      const parts = chunk.split('\n')
      const last = parts.pop() ?? ''
      const records = parts.flatMap(ended)
      begun += last
      if (begun.length > maxRecord) [begun, isTooLong] = ['', true]
      return records
    },
    end: () => (begun === '' && !isTooLong ? [] : ended('')),
  }
}
