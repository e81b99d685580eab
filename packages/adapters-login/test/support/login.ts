import { createSealedTexts } from '@clientele/adapters-jose'
import { nodeConfirmationCiphers } from '@clientele/adapters-jose/node'
import { type EpochSeconds, type Unavailable, epochSeconds } from '@clientele/domain/kernel'
import type { LoginElsewhere } from '@clientele/domain/ports'
import type { AuthenticatedEndUser, LoginRefused } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { randomBytes, randomUUID } from 'node:crypto'
import type { LoginPorts } from '../../src/index.js'

/** The ports of a login, with a clock that a test moves. */
export const loginPorts = () => {
  const clock = { ahead: 0 }
  const now = (): EpochSeconds => epochSeconds(Date.now() + clock.ahead * 1_000)
  const ciphers = nodeConfirmationCiphers(randomBytes(32), [])
  const ports: LoginPorts = { ...createSealedTexts(ciphers, 'logins', now), now, identifier: () => randomUUID() }
  return { clock, now, ports }
}

export const begin = {
  interaction: 'interaction-1',
  redirectUri: 'https://id.example/login/callback',
  loginHint: undefined,
  uiLocales: undefined,
}

export const succeed = async <A>(task: TE.TaskEither<unknown, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

/** The reason of a refused login, or `unavailable: …`; one short line in any case. */
export const reasonOf = async (task: TE.TaskEither<LoginRefused | Unavailable, unknown>): Promise<string> => {
  const result = await task()
  if (E.isRight(result)) return 'not refused'
  const { left } = result
  const reason = left.error === 'login_refused' ? left.reason : `unavailable: ${String(left.detail)}`
  if (!/^[\x20-\x7e]{1,300}$/.test(reason)) throw new Error(`not one short line: ${reason}`)
  return reason
}

export const endUserOf = async (task: ReturnType<LoginElsewhere['complete']>): Promise<AuthenticatedEndUser> =>
  (await succeed(task)).endUser
