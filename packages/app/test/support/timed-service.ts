// The composed service, on a real socket and a real file, with a clock that the test sets.
import { type EpochSeconds, epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { discard, newDataDir, startService } from './composed-service.js'

export type TimedService = Pick<
  Awaited<ReturnType<typeof startService>>,
  'base' | 'master' | 'keys' | 'provider' | 'output'
> & {
  readonly secretLifetime: number
  /** Seconds in which the token before an update stays valid. */
  readonly grace: number
  readonly pass: (seconds: number) => void
  readonly stop: () => Promise<void>
}

const secretLifetime = 1_000
const grace = 60

export const startTimedService = async (settings: Readonly<Record<string, string>> = {}): Promise<TimedService> => {
  const start = epochSeconds(Date.now())
  const state = { elapsed: 0 }
  const now = (): EpochSeconds => secondsAfter(start, state.elapsed)
  const dataDir = newDataDir()
  const service = await startService(
    {
      CLIENTELE_CLIENT_SECRET_LIFETIME: String(secretLifetime),
      CLIENTELE_REGISTRATION_ACCESS_TOKEN_GRACE: String(grace),
      CLIENTELE_MAXIMUM_FAILED_CREDENTIALS: 'off',
      CLIENTELE_SIGNING_ALGORITHMS: 'ES256',
      ...settings,
    },
    dataDir,
    { now },
  )
  return {
    ...service,
    secretLifetime,
    grace,
    pass: (seconds) => (state.elapsed += seconds),
    stop: async () => {
      await service.stop()
      discard(dataDir)
    },
  }
}
