// The times at which the documents of stored clients were seen, as artefacts that end with the registration.
import type { HashText, TokenHash } from '@clientele/domain/authorization'
import type { RegistrationId } from '@clientele/domain/client'
import { type Unavailable, EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import type { DocumentPolicy } from '@clientele/domain/policy'
import type { Artefacts, SeenDocuments } from '@clientele/domain/ports'
import type { SeenDocument } from '@clientele/domain/provider'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

export type SeenDocumentsOptions = {
  readonly artefacts: Artefacts
  readonly hashToken: HashText
  readonly policy: () => Pick<DocumentPolicy, 'unreachable_for'>
}

const done: TE.TaskEither<never, void> = TE.right(undefined)

export const createSeenDocuments = ({ artefacts, hashToken, policy }: SeenDocumentsOptions): SeenDocuments => {
  // A client that is registered again has a record of its own.
  const recorded = new WeakMap<SeenDocument, RegistrationId>()
  const hashOf = (url: string): TokenHash => hashToken(`document ${url}`)
  const findLastSeen = (url: string): TE.TaskEither<Unavailable, O.Option<EpochSeconds>> =>
    pipe(
      artefacts.findArtefact('document', hashOf(url)),
      TE.map(O.flatMap(({ payload: { at } }) => (EpochSeconds.is(at) ? O.some(at) : O.none))),
    )
  return {
    recordSeen: ({ client_id, registration_id }, seen) => {
      if (recorded.get(seen) === registration_id) return done
      const { at } = seen
      const expires_at = secondsAfter(at, policy().unreachable_for)
      const client = { client_id, registration_id }
      const artefact = { kind: 'document', hash: hashOf(client_id), client, expires_at, payload: { at } } as const
      return pipe(
        findLastSeen(client_id),
        // Another instance may have seen a later one.
        TE.flatMap((last) => (O.isSome(last) && last.value >= at ? done : artefacts.storeArtefact(artefact, at))),
        TE.map(() => {
          recorded.set(seen, registration_id)
        }),
        // A client that was removed meanwhile is found no more, either.
        TE.orElse((failure) => (failure.error === 'unavailable' ? TE.left(failure) : done)),
      )
    },
    findLastSeen,
  }
}
