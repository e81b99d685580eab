import { readJson } from '@clientele/domain/kernel'
import { type ResourcePolicy, decodeResourcePolicy } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ReadFile } from './read-file.js'

/** The policy in a file, or all of its faults. */
export const readResourcePolicy =
  (readFile: ReadFile) =>
  (path: string): E.Either<ReadonlyArray<string>, ResourcePolicy> =>
    pipe(
      readFile(path),
      E.mapLeft((code) => [`cannot be read (${code})`]),
      E.flatMap((text) =>
        pipe(
          readJson(text),
          E.mapLeft((fault) => [fault.text]),
        ),
      ),
      E.flatMap((json) =>
        pipe(
          decodeResourcePolicy(json),
          E.mapLeft((faults) => faults.map(({ pointer, description }) => `${pointer || 'the whole'} ${description}`)),
        ),
      ),
    )
