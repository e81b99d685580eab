import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import type { Asking } from './ask-service.js'
import { manage } from './manage.js'
import { readAnswer } from './read-answer.js'
import type { NeededKeys } from './routes-on-store.js'

/** One request of a command, and how its answer is read. */
export type Operation<A> = {
  readonly path: string
  readonly body?: object
  readonly asking?: Asking
  readonly codec: t.Decoder<unknown, A>
  /** The text for an unknown client, whose 404 has no body. */
  readonly notFound?: string
  /** Of the key rings, where no service runs. */
  readonly keys?: NeededKeys
}

export const noSuchClient = 'no client has this id: clientele clients list lists them'

export const operate = <A>(
  config: Config,
  { path, body, asking, codec, notFound, keys }: Operation<A>,
): TE.TaskEither<string, A> =>
  manage(config, (ask) => pipe(ask(path, body, asking), TE.flatMap(readAnswer(codec, notFound))), keys)
