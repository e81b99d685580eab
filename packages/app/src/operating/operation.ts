import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'
import { askService, type Asking } from './ask-service.js'
import { readAnswer, refusalText } from './read-answer.js'
import { throughServiceOrStore } from './through-service-or-store.js'

/** An operation of a command: by the running service, or on the store when no service answers. */
export type Operation<A> = {
  readonly path: string
  readonly body?: object
  readonly asking?: Asking
  /** Decodes the answer of the service. */
  readonly codec: t.Decoder<unknown, A>
  /** The text for an answer of 404 without a body. */
  readonly notFound?: string
  readonly onStore: (data: OpenedData) => TE.TaskEither<unknown, A>
}

export const operate = <A>(config: Config, operation: Operation<A>): TE.TaskEither<string, A> => {
  const { path, body, asking, codec, notFound, onStore } = operation
  return throughServiceOrStore(config, {
    service: (access) => pipe(askService(access, path, body, asking), TE.flatMap(readAnswer(codec, notFound))),
    store: (data) =>
      pipe(
        onStore(data),
        TE.mapLeft((refusal) => refusalText(refusal, 'the store cannot answer now: try again')),
      ),
  })
}
