/** The values that are printed on the console's error stream while this runs. */
export const printedDuring = async (use: () => Promise<void>): Promise<ReadonlyArray<unknown>> => {
  const printed: unknown[] = []
  const original = console.error
  console.error = (...parts: unknown[]) => void printed.push(...parts)
  try {
    await use()
  } finally {
    console.error = original
  }
  return printed
}
