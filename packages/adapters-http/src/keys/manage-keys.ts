// What commands ask of the keys while the service runs; MASTER alone.
import type { InvalidRequest, KeyManagement, KeySetReader, Refusal } from '@clientele/domain'
import { invalidKeys, invalidRequest } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { dryRun } from '../http/dry-run.js'
import { forMaster } from '../http/for-master.js'
import type { Handler } from '../http/handler.js'
import type { HttpRequest } from '../http/request.js'
import { textMember } from '../http/text-member.js'
import type { HttpPorts, HttpSettings } from '../settings.js'

const algOf = textMember('alg', 'The body must be a JSON object with the string alg, or empty')
const kidOf = (body: HttpRequest['body']): E.Either<InvalidRequest, string> => {
  const rule = 'The body must be a JSON object with the string kid'
  return pipe(body, textMember('kid', rule), E.flatMap(E.fromNullable(invalidRequest(rule))))
}

type Read<Key> = (keySet: unknown) => TE.TaskEither<ReadonlyArray<string>, ReadonlyArray<Key>>
type Take<Key> = (request: { readonly keys: ReadonlyArray<Key>; readonly dryRun: boolean }) => KeyManagement['listKeys']

export const getKeys = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, () => ports.keys.listKeys)

export const postRollOver = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, (request) => {
    const { dry, body } = dryRun(request)
    return pipe(
      TE.fromEither<Refusal, string | undefined>(algOf(body)),
      TE.flatMap((alg) => ports.keys.rollOver({ ...(alg === undefined ? {} : { alg }), dryRun: dry })),
    )
  })

export const postCompromise = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, (request) => {
    const { dry, body } = dryRun(request)
    return pipe(
      TE.fromEither<Refusal, string>(kidOf(body)),
      TE.flatMap((kid) => ports.keys.compromise({ kid, dryRun: dry })),
    )
  })

/** Takes the keys of a set as they were read: all of them, or none. */
const importing =
  <Key>(readerOf: (ports: KeySetReader) => Read<Key>, take: (keys: KeyManagement) => Take<Key>) =>
  (settings: HttpSettings, ports: HttpPorts): Handler => {
    const read = readerOf(ports)
    return forMaster(settings, ports, (request) => {
      const { dry, body } = dryRun(request)
      return pipe(
        TE.fromEither<Refusal, unknown>(body),
        TE.flatMap((json) =>
          pipe(
            read(json),
            TE.mapLeft((faults): Refusal => invalidKeys(faults)),
          ),
        ),
        TE.flatMap((keys) => take(ports.keys)({ keys, dryRun: dry })),
      )
    })
  }

export const postImport = importing(
  ({ readPrivateJwkSet }) => readPrivateJwkSet,
  ({ importKeys }) => importKeys,
)

/** Publishes the keys of another signer, which sign its tokens and never ours. */
export const postForeign = importing(
  ({ readPublicJwkSet }) => readPublicJwkSet,
  ({ importForeignKeys }) => importForeignKeys,
)

export const postRemoveForeign = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, ({ body }) =>
    pipe(TE.fromEither<Refusal, string>(kidOf(body)), TE.flatMap(ports.keys.removeForeignKey)),
  )
