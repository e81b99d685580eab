// Answers that are sent while they are read.
import type { Chunks } from './response.js'

/** Ends a source that is not read; what it does then concerns no one. */
export const cancel = (chunks: Chunks): void =>
  void Promise.resolve(chunks[Symbol.asyncIterator]().return?.()).catch(() => undefined)

/**
 * The same chunks. When they break, the reason is reported here, and the reader learns only that they broke: some hosts print
 * or send the errors that they meet. To cancel them ends their source, even before the first chunk is read.
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
