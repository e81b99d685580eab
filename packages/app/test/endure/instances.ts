// Instances of the built service as processes, which are started again after their end.
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { environmentOf, settingsOn } from '../postgresql/postgresql-service.js'
import { type Service, startService } from '../support/service.js'

export type Instance = {
  readonly port: number
  /** Undefined while it does not answer. */
  readonly service: () => Service | undefined
  /** Ends the process by SIGKILL; it is started again. */
  readonly kill: () => Promise<void>
  readonly stop: () => Promise<void>
}

type State = { service: Service | undefined; isOver: boolean }

/** Starts the process again after each end, and after a start that was refused because the database was away. */
const supervise = async (state: State, start: () => Promise<Service>): Promise<void> => {
  for (;;) {
    await state.service?.exited
    if (state.isOver) return
    state.service = await start().catch(() => undefined)
  }
}

export const startInstance = async (
  url: string,
  base: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Instance> => {
  const port = await freePort()
  // The judge presents old tokens many times, and none of them has a grace.
  const judged = { 'maximum-failed-credentials': 'off', 'registration-access-token-grace': '0' }
  const settings = environmentOf(settingsOn(url, { 'base-url': base, port: `${port}`, ...judged, ...more }))
  const start = (): Promise<Service> => startService(settings, '/nowhere/data')
  const state: State = { service: await start(), isOver: false }
  const supervising = supervise(state, start)
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
      // One whose start was under way.
      await end('SIGTERM')
    },
  }
}
