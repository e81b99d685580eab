// What commands ask of the keys while the service runs; MASTER alone.
import type { InvalidRequest, Refusal } from '@clientele/domain'
import { authorizeMaster, invalidKeys, invalidRequest } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { presentedCredential } from '../http/bearer.js'
import { dryRun } from '../http/dry-run.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import type { HttpRequest } from '../http/request.js'
import { jsonResponse } from '../http/response.js'
import { readPrivateJwkSet } from '../jose/private-jwk-set.js'
import type { HttpPorts, HttpSettings } from '../settings.js'

const RollOverBody = t.exact(t.partial({ alg: t.string }))
const CompromiseBody = t.exact(t.type({ kid: t.string }))

const decodeBody =
  <A>(codec: t.Type<A, unknown>, rule: string) =>
  ({ body }: { readonly body: HttpRequest['body'] }): E.Either<InvalidRequest, A> =>
    pipe(
      body,
      E.flatMap((json) =>
        pipe(
          codec.decode(json),
          E.mapLeft(() => invalidRequest(rule)),
        ),
      ),
    )

const rollOverBody = decodeBody(RollOverBody, 'The body must be a JSON object; alg, if given, is a string')
const compromiseBody = decodeBody(CompromiseBody, 'The body must be a JSON object with the string kid')

type Operation = (request: HttpRequest) => TE.TaskEither<Refusal, object>

const forMaster = (settings: HttpSettings, ports: HttpPorts, operation: Operation): Handler => {
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) =>
    answer(
      pipe(
        TE.fromEither<Refusal, unknown>(authorizeMaster(credentialOf(request))),
        TE.flatMap(() => operation(request)),
      ),
      (result) => jsonResponse(200, result),
    )
}

export const getKeys = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, () => ports.keys.listKeys)

export const postRollOver = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, (request) => {
    const { dry, body } = dryRun(request)
    return pipe(
      TE.fromEither<Refusal, t.TypeOf<typeof RollOverBody>>(rollOverBody({ body })),
      TE.flatMap(({ alg }) => ports.keys.rollOver({ ...(alg === undefined ? {} : { alg }), dryRun: dry })),
    )
  })

export const postCompromise = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, (request) => {
    const { dry, body } = dryRun(request)
    return pipe(
      TE.fromEither<Refusal, t.TypeOf<typeof CompromiseBody>>(compromiseBody({ body })),
      TE.flatMap(({ kid }) => ports.keys.compromise({ kid, dryRun: dry })),
    )
  })

export const postImport = (settings: HttpSettings, ports: HttpPorts): Handler =>
  forMaster(settings, ports, ({ body }) =>
    pipe(
      TE.fromEither<Refusal, unknown>(body),
      TE.flatMap((json) => pipe(readPrivateJwkSet(json), TE.mapLeft<ReadonlyArray<string>, Refusal>(invalidKeys))),
      TE.flatMap((keys) => ports.keys.importKeys(keys)),
    ),
  )
