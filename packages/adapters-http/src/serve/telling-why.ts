/**
 * The same chunks. When they break, why is told here, and whoever reads them learns only that they do: some hosts print or
 * send what they meet. Leaving them ends their source, even before the first one is read.
 */
export const tellingWhy = (
  chunks: AsyncIterable<string>,
  tell: (detail: unknown) => void,
): AsyncIterableIterator<string> => {
  const source = chunks[Symbol.asyncIterator]()
  const itself: AsyncIterableIterator<string> = {
    next: async () => {
      try {
        return await source.next()
      } catch (detail) {
        tell(detail)
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
