// The times at which the documents of stored clients were seen, as artefacts that end with the registration.
import {
  type Artefacts,
  type DocumentPolicy,
  EpochSeconds,
  type SeenDocuments,
  type TokenHash,
  secondsAfter,
} from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

export type SeenDocumentsOptions = {
  readonly artefacts: Pick<Artefacts, 'storeArtefact' | 'findArtefact'>
  readonly hashToken: (text: string) => TokenHash
  readonly policy: () => Pick<DocumentPolicy, 'unreachable_for'>
}

const done: TE.TaskEither<never, void> = TE.right(undefined)

export const createSeenDocuments = ({ artefacts, hashToken, policy }: SeenDocumentsOptions): SeenDocuments => {
  const recorded = new WeakSet()
  const hashOf = (url: string): TokenHash => hashToken(`document ${url}`)
  return {
    recordSeen: ({ client_id, registration_id }, seen) => {
      if (recorded.has(seen)) return done
      const { at } = seen
      const expires_at = secondsAfter(at, policy().unreachable_for)
      const client = { client_id, registration_id }
      return pipe(
        artefacts.storeArtefact({ kind: 'document', hash: hashOf(client_id), client, expires_at, payload: { at } }, at),
        TE.map(() => {
          recorded.add(seen)
        }),
        // A client that was removed meanwhile is found no more, either.
        TE.orElse((failure) => (failure.error === 'unavailable' ? TE.left(failure) : done)),
      )
    },
    findLastSeen: (url) =>
      pipe(
        artefacts.findArtefact('document', hashOf(url)),
        TE.map(O.flatMap(({ payload: { at } }) => O.fromNullable(typeof at === 'number' ? at : undefined))),
        TE.map(O.filter(EpochSeconds.is)),
      ),
  }
}
