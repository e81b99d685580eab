import { isPlainObject, readJson } from '@clientele/domain/kernel'
import { type RegistrationPolicy, decodeRegistrationPolicy } from '@clientele/domain/policy'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ReadFile } from './read-file.js'

/** A policy, and its JSON. */
export type PolicyFile = { readonly json: object; readonly policy: RegistrationPolicy }

const policyOf = (text: string): E.Either<ReadonlyArray<string>, PolicyFile> =>
  pipe(
    readJson(text),
    E.mapLeft((fault): ReadonlyArray<string> => [fault.text]),
    E.flatMap((json) =>
      pipe(
        decodeRegistrationPolicy(json),
        E.map((policy) => ({ json: isPlainObject(json) ? json : {}, policy })),
        E.mapLeft((faults) => faults.map(({ pointer, description }) => `${pointer || 'the whole'} ${description}`)),
      ),
    ),
  )

/** The contents of a policy file, or all of its faults. */
export const readPolicyFile =
  (readFile: ReadFile) =>
  (path: string): E.Either<ReadonlyArray<string>, PolicyFile> =>
    pipe(
      readFile(path),
      E.mapLeft((code) => [`cannot be read (${code})`]),
      E.flatMap(policyOf),
    )

/** The policy in a text, or all of its faults. */
export const parseRegistrationPolicy = (text: string): E.Either<ReadonlyArray<string>, RegistrationPolicy> =>
  pipe(
    policyOf(text),
    E.map(({ policy }) => policy),
  )

/** The policy in a file, or all of its faults. */
export const readRegistrationPolicy =
  (readFile: ReadFile) =>
  (path: string): E.Either<ReadonlyArray<string>, RegistrationPolicy> =>
    pipe(
      readPolicyFile(readFile)(path),
      E.map(({ policy }) => policy),
    )
