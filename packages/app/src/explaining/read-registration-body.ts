import { type RegistrationFacts, invalidRequest, parseWellFormedJson } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readFileSync } from 'node:fs'
import { errorReason } from '../config/values/read-file.js'

const maxBytes = 65_536
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The body of a registration from a file, or from standard input as -; as strict as POST /clients. */
export const readRegistrationBody = (path: string): E.Either<string, RegistrationFacts['body']> =>
  pipe(
    E.tryCatch(
      () => readFileSync(path === '-' ? 0 : path),
      (error) => `${path} cannot be read (${errorReason(error)}): correct --metadata`,
    ),
    E.filterOrElse(
      ({ length }) => length <= maxBytes,
      () => `${path} is larger than ${maxBytes} bytes: POST /clients would answer 413`,
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
