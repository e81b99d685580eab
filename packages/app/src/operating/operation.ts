import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
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
  /** The text for an unknown client, whose 404 has no body. */
  readonly notFound?: string
  readonly onStore: (data: OpenedData) => TE.TaskEither<unknown, A>
}

export const noSuchClient = 'no client has this id: clientele clients list lists them'

const UnknownClient = t.type({ error: t.literal('unknown_client') })

/** A refusal by the domain in words; the other text is that for an unknown client. */
export const refusalOf = (refusal: unknown, notFound: string | undefined): string =>
  notFound !== undefined && UnknownClient.is(refusal)
    ? notFound
    : refusalText(refusal, 'the store cannot answer now: try again')

export const operate = <A>(config: Config, operation: Operation<A>): TE.TaskEither<string, A> => {
  const { path, body, asking, codec, notFound, onStore } = operation
  return throughServiceOrStore(config, {
    service: (access) => pipe(askService(access, path, body, asking), TE.flatMap(readAnswer(codec, notFound))),
    store: (data) =>
      pipe(
        onStore(data),
        TE.mapLeft((refusal) => refusalOf(refusal, notFound)),
      ),
  })
}
