// Answers that are sent while they are produced.
import type { Chunks } from './response.js'

/** Ends a source that is not read; its failures are ignored. */
export const cancel = (chunks: Chunks): void =>
  void Promise.resolve(chunks[Symbol.asyncIterator]().return?.()).catch(() => undefined)

/**
 * The same chunks. A failure is reported here, and the reader only learns that there was one: some hosts print or send
 * errors. Cancelling ends the source, even before the first chunk is read.
 */
export const reportingErrors = (chunks: Chunks, report: (detail: unknown) => void): AsyncIterableIterator<string> => {
  const source = chunks[Symbol.asyncIterator]()
  const itself: AsyncIterableIterator<string> = {
    next: async () => {
      try {
        return await source.next()
      } catch (detail) {
        report(detail)
        throw new Error('the answer breaks off')
      }
    },
    return: async () => {
      await source.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => itself,
  }
  return itself
}
