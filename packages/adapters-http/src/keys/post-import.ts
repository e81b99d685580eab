import { type Refusal, invalidKeys } from '@clientele/domain/kernel'
import type { ByRequest, KeyManagement } from '@clientele/domain/operations'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type OperatorHandler, dryRun, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { KeyPorts, ReadKeys } from '../ports.js'

type Take<Key> = (request: { readonly keys: ReadonlyArray<Key>; readonly dryRun: boolean }) => KeyManagement['listKeys']

/** Imports the keys of a set: all of them, or none. */
const importing =
  <Key>(read: ReadKeys<Key>, take: ByRequest<'keys', Take<Key>>): OperatorHandler<'keys'> =>
  (request, operator) => {
    const { dry, body } = dryRun(request)
    return answer(
      pipe(
        TE.fromEither<Refusal, unknown>(body),
        TE.flatMap((json) =>
          pipe(
            read(json),
            TE.mapLeft((faults): Refusal => invalidKeys(faults)),
          ),
        ),
        TE.flatMap((keys) => take(operator, request)({ keys, dryRun: dry })),
      ),
      okResponse,
    )
  }

/** Imports the private keys of another server. */
export const postImport = ({ readPrivateJwkSet, management }: KeyPorts): OperatorHandler<'keys'> =>
  importing(readPrivateJwkSet, (...by) => management(...by).importKeys)

/** Publishes the keys of another signer; they never sign here. */
export const postForeign = ({ readPublicJwkSet, management }: KeyPorts): OperatorHandler<'keys'> =>
  importing(readPublicJwkSet, (...by) => management(...by).importForeignKeys)
