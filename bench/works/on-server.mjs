import { forgetPeak, peakMemory } from '../machine.mjs'
import { watch } from '../watch.mjs'

/**
 * The figures of one of the stage's servers, with its maximum memory and the interference; undefined where the stage is
 * without that server.
 */
export const onServer = (name, run) => async (stage, bounds) => {
  const server = stage.servers[name]
  if (server === undefined) return undefined
  if (server.failure) throw server.failure
  forgetPeak(server)
  const watched = watch(server)
  const figures = await run(server, bounds, stage)
  const { cores, ...doubts } = watched()
  // The work of an answer is less noisy than the rate, which waits for the disk as well.
  return { ...figures, peak: peakMemory(server), 'µs of a core': (1e6 * cores) / figures.rate, ...doubts }
}

export const seriesOf = (names, run) => Object.fromEntries(names.map((name) => [name, onServer(name, run)]))
