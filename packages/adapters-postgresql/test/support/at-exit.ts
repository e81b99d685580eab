// What must end before this process does, even where a test fails or a signal ends it.
const endings = new Set<() => void>()

process.once('exit', () => endings.forEach((end) => end()))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

/** Registers an end; the result withdraws it. */
export const atExit = (end: () => void): (() => void) => {
  endings.add(end)
  return () => endings.delete(end)
}
