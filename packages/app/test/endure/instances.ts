// Instances of the built service as processes, which are started again after their end.
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { settingsOn } from '../postgresql/postgresql-service.js'
import { type Service, startService } from '../support/service.js'

export type Instance = {
  readonly port: number
  /** Undefined while it does not answer. */
  readonly service: () => Service | undefined
  /** Ends the process by SIGKILL; it is started again. */
  readonly kill: () => Promise<void>
  readonly stop: () => Promise<void>
  /** Starts that were refused, for example because the database was away for too long. */
  readonly refusedStarts: () => number
}

type State = { service: Service | undefined; isOver: boolean; refused: number }

const environmentOf = (flags: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(flags).map(([name, value]) => [`CLIENTELE_${name.toUpperCase().replaceAll('-', '_')}`, value]),
  )

/** Starts the process again and again until the end. */
const supervise = async (state: State, settings: Readonly<Record<string, string>>): Promise<void> => {
  while (!state.isOver) {
    const service = await startService(settings, '/nowhere/data').catch(() => undefined)
    state.service = service
    if (service === undefined) state.refused += 1
    else await service.exited
    state.service = undefined
  }
}

const untilAnswering = async (state: State): Promise<void> => {
  while (state.service === undefined) await new Promise((resolve) => setTimeout(resolve, 20))
}

export const startInstance = async (
  url: string,
  base: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Instance> => {
  const port = await freePort()
  const state: State = { service: undefined, isOver: false, refused: 0 }
  const settings = environmentOf(settingsOn(url, { 'base-url': base, port: `${port}`, ...more }))
  const supervising = supervise(state, settings)
  await untilAnswering(state)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = state.service
    state.service = undefined
    await ending?.stop(signal)
  }
  return {
    port,
    service: () => state.service,
    kill: () => end('SIGKILL'),
    stop: async () => {
      state.isOver = true
      await end('SIGTERM')
      await supervising
    },
    refusedStarts: () => state.refused,
  }
}
