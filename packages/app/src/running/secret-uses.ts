// By which client_secret clients authenticate: observed in memory, and written in the background, once for each secret and day.
// A day that an instance has not written when it crashes is lost.
import type { HashText } from '@clientele/domain/authorization'
import type { EpochSeconds } from '@clientele/domain/kernel'
import { useTime } from '@clientele/domain/life-cycle'
import { secretDigest } from '@clientele/domain/operations'
import type { RecordedSecretUse, SecretUse } from '@clientele/domain/ports'

export type SecretUseObserver = SecretUse & {
  /** The uses since the last call that are the first of their secret on their day, at this instance. */
  readonly take: () => ReadonlyArray<RecordedSecretUse>
  /** Those that could not be written are taken again later. */
  readonly giveBack: (uses: ReadonlyArray<RecordedSecretUse>) => void
}

/** Of which it is known that they were used today, and of those that wait to be written: beyond, some are written again later. */
const maxKnown = 10_000
/** A write locks each of its clients. */
const maxTaken = 200

export const createSecretUseObserver = (now: () => EpochSeconds, hash: HashText): SecretUseObserver => {
  const state: { day: EpochSeconds; known: Set<string>; uses: Array<RecordedSecretUse> } = {
    day: useTime(now()),
    known: new Set(),
    uses: [],
  }
  return {
    useSecret: ({ client_id, registration_id }, client_secret) => {
      const at = now()
      const day = useTime(at)
      if (day !== state.day || state.known.size >= maxKnown) {
        state.day = day
        state.known = new Set()
      }
      const key = `${registration_id} ${client_secret}`
      if (state.known.has(key) || state.uses.length >= maxKnown) return
      state.known.add(key)
      state.uses.push({ client: { client_id, registration_id }, secret: secretDigest(hash, client_secret), at })
    },
    take: () => state.uses.splice(0, maxTaken),
    giveBack: (uses) => void (state.uses = [...uses, ...state.uses].slice(0, maxKnown)),
  }
}
