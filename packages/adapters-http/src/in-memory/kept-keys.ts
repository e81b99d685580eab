import type { KeyRing, KeySettings, ManageKeysPorts } from '@clientele/domain'
import { keepKeyRings, manageKeys } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { HttpPorts } from '../settings.js'

export type KeptKeys = Pick<HttpPorts, 'keyRings' | 'keys'> & {
  /** Does what is due with the keys: makes those that are missing, and rolls them over. Rejects when that cannot be done. */
  readonly keepKeys: () => Promise<void>
}

/** Rings that begin with the first `keepKeys`; what is done with them takes turns. */
export const keptKeys = (settings: KeySettings, ports: ManageKeysPorts): KeptKeys => {
  let [rings, turns]: [ReadonlyArray<KeyRing>, Promise<unknown>] = [[], Promise.resolve()]
  const inTurn = <A>(run: () => Promise<A>): Promise<A> => {
    const turn = turns.then(run)
    turns = turn.catch(() => undefined)
    return turn
  }
  const keep = pipe(
    keepKeyRings(settings, ports),
    TE.map((kept) => void (rings = kept)),
  )
  const kept =
    <Refused, Answer>(operation: TE.TaskEither<Refused, Answer>): TE.TaskEither<Refused, Answer> =>
    () =>
      inTurn(
        pipe(
          operation,
          TE.tapTask(() => keep),
        ),
      )
  const management = manageKeys(settings, ports)
  return {
    keyRings: () => rings,
    keys: {
      listKeys: management.listKeys,
      rollOver: (request) => kept(management.rollOver(request)),
      compromise: (request) => kept(management.compromise(request)),
      importKeys: (request) => kept(management.importKeys(request)),
    },
    keepKeys: () =>
      inTurn(async () => {
        const done = await keep()
        if (E.isLeft(done)) throw new Error(`the keys cannot be kept: ${done.left.error}`)
      }),
  }
}
