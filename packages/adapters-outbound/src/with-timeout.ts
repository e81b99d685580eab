/** The result of the work, or a rejection at the time limit, which also aborts the signal of the work. */
export const withTimeout = async <Result>(
  timeLimit: number,
  awaited: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const controller = new AbortController()
  const { signal } = controller
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no ${awaited} within ${timeLimit} ms`)), { once: true })
  })
  const timer = setTimeout(() => controller.abort(), timeLimit)
  try {
    return await Promise.race([work(signal), late])
  } finally {
    clearTimeout(timer)
  }
}
