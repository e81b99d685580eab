import { forgetPeak, peakMemory, watchCore } from '../machine.mjs'

export const toOthers = '% of the core to others'

/** What is measured on one of the stage's servers, with the most memory that it took and what it had to leave to others. */
export const onServer = (name, run) => async (stage, bounds) => {
  const server = stage.servers[name]
  forgetPeak(server)
  const leftToOthers = watchCore(server)
  const figures = await run(server, bounds, stage)
  return { ...figures, peak: peakMemory(server), [toOthers]: leftToOthers() }
}

export const seriesOf = (names, run) => Object.fromEntries(names.map((name) => [name, onServer(name, run)]))
