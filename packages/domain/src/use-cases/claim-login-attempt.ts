// The attempts to guess a password: OWASP ASVS 5.0 §6.3.1. Each is claimed in the store, so that a repeated form, another
// instance or a restart gives no further one.
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenHash } from '../authorization/credential.js'
import { secondsAfter } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { Artefacts } from '../ports/artefacts.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'

/** The attempts of one interaction. */
export const maxLoginAttempts = 5

/** In seconds: longer than any interaction lasts. */
const remembered = 7_200

export type LoginAttempt = { readonly interaction: string; readonly attempt: number }

export type ClaimLoginAttemptPorts = Pick<Artefacts, 'storeArtefact' | 'consumeArtefact'> &
  Pick<CredentialGenerator, 'now'> & { readonly hashToken: (token: string) => TokenHash }

const isPermitted = (attempt: number): boolean =>
  Number.isInteger(attempt) && attempt >= 1 && attempt <= maxLoginAttempts

/** True once for each permitted attempt, also when several requests claim it at the same time. */
export const claimLoginAttempt =
  (ports: ClaimLoginAttemptPorts) =>
  ({ interaction, attempt }: LoginAttempt): TE.TaskEither<Unavailable, boolean> =>
  async () => {
    if (!isPermitted(attempt)) return E.right(false)
    const at = ports.now()
    const hash = ports.hashToken(`login attempt ${attempt} of ${interaction}`)
    const artefact = { kind: 'replay' as const, hash, expires_at: secondsAfter(at, remembered), payload: {} }
    const stored = await ports.storeArtefact(artefact, at)()
    if (E.isLeft(stored))
      return E.left(stored.left.error === 'unavailable' ? stored.left : { error: 'unavailable', detail: stored.left })
    const consumed = await ports.consumeArtefact('replay', hash, at)()
    if (E.isRight(consumed)) return E.right(true)
    return consumed.left.error === 'unavailable' ? E.left(consumed.left) : E.right(false)
  }
