import { forgetPeak, peakMemory } from '../machine.mjs'
import { watch } from '../watch.mjs'

/**
 * What is measured on one of the stage's servers, with the most memory that it took and what makes the figures doubtful;
 * nothing where the stage is without that server.
 */
export const onServer = (name, run) => async (stage, bounds) => {
  const server = stage.servers[name]
  if (server === undefined) return undefined
  forgetPeak(server)
  const watched = watch(server)
  const figures = await run(server, bounds, stage)
  return { ...figures, peak: peakMemory(server), ...watched() }
}

export const seriesOf = (names, run) => Object.fromEntries(names.map((name) => [name, onServer(name, run)]))
