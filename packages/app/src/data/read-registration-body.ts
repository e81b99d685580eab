import { invalidRequest, parseWellFormedJson } from '@clientele/domain/kernel'
import type { RegistrationFacts } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readFileSync } from 'node:fs'
import { errorReason } from '../config/files.js'

const maxBytes = 65_536
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export type RegistrationBody = RegistrationFacts['body']

const refusedSize = {
  metadata: 'POST /clients would answer 413',
  from: 'no request has more',
  document: 'a larger document is not read',
} as const

/** The metadata of a client from a file, or from standard input as -; as strict as POST /clients. */
export const readRegistrationBody = (
  path: string,
  option: keyof typeof refusedSize,
): E.Either<string, RegistrationBody> =>
  pipe(
    E.tryCatch(
      () => readFileSync(path === '-' ? 0 : path),
      (error) => `${path} cannot be read (${errorReason(error)}): correct --${option}`,
    ),
    E.filterOrElse(
      ({ length }) => length <= maxBytes,
      () => `${path} is larger than ${maxBytes} bytes: ${refusedSize[option]}`,
    ),
    E.map((bytes) =>
      pipe(
        E.tryCatch(
          () => strictUtf8.decode(bytes),
          () => invalidRequest('The body is not well-formed UTF-8'),
        ),
        E.flatMap(parseWellFormedJson),
      ),
    ),
  )
