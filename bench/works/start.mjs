import { setTimeout as wait } from 'node:timers/promises'
import { memory } from '../machine.mjs'
import { ours, oursWithEngine, withEngine } from '../servers.mjs'
import { start } from '../start.mjs'

const idle = 2_000

const startOnce =
  (env) =>
  async ({ folder }) => {
    const server = await start(ours, { folder, env })
    await wait(idle)
    const resident = memory(server)
    await server.stop()
    return { 'ms to ready': server.readyAfter, 'MiB when idle': resident }
  }

export const works = [
  {
    name: 'start, 100,000 clients in the database',
    stage: 'startable',
    rounds: 5,
    series: { [ours]: startOnce({}), [oursWithEngine]: startOnce(withEngine) },
  },
]
