// What the service reads from files that settings name, and why it cannot.
import { members } from '@clientele/domain/client'
import { readJson } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'

/** The text of a file, or the reason why it cannot be read. */
export type ReadFile = (path: string) => E.Either<string, string>

export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'

const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'it is a directory',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'the host name is unknown',
}

/** The reason of a system error in words, with its code. */
export const errorReason = (error: unknown): string => {
  const code = errorCode(error)
  return Object.hasOwn(words, code) ? `${words[code] ?? ''}, ${code}` : code
}

// A relative path is one from the working directory, which the service and a reload may not share with the reader.
export const readFile: ReadFile = (path) =>
  E.tryCatch(
    () => readFileSync(path, 'utf8'),
    (error) => (isAbsolute(path) ? errorReason(error) : `${errorReason(error)}: ${resolve(path)}`),
  )

/** The JSON in a text, or its fault. */
export const jsonIn = (text: string): E.Either<string, unknown> =>
  pipe(
    readJson(text),
    E.mapLeft((fault) => fault.text),
  )

/** The JSON in a file, or its fault; the path is the subject of the sentence. */
export const jsonInFile = (path: string): E.Either<string, unknown> =>
  pipe(
    readFile(path),
    E.mapLeft((code) => `cannot be read (${code})`),
    E.flatMap(jsonIn),
  )

/** The same, where the fault names the file. */
export const jsonOf = (path: string): E.Either<string, unknown> =>
  pipe(
    jsonInFile(path),
    E.mapLeft((fault) => `${path} ${fault}`),
  )

/** The meaning of a JSON value, or its faults. */
export type Decode<A> = (
  json: unknown,
) => E.Either<ReadonlyArray<{ readonly pointer: string; readonly description: string }>, A>

/** What JSON means, or all of its faults, each with its place. */
export const decodeJson = <A>(json: E.Either<string, unknown>, decode: Decode<A>): E.Either<ReadonlyArray<string>, A> =>
  pipe(
    json,
    E.mapLeft((fault): ReadonlyArray<string> => [fault]),
    E.flatMap((value) =>
      pipe(
        decode(value),
        E.mapLeft((faults) => faults.map(({ pointer, description }) => `${pointer || 'the whole'} ${description}`)),
      ),
    ),
  )

const JwkSet = t.type({ keys: t.array(t.intersection([t.type({ kty: t.string }), t.UnknownRecord])) })
export type PublicKeys = t.TypeOf<typeof JwkSet>

const isPublicKeys = (json: unknown): json is PublicKeys =>
  members.jwks.type.codec.is(json) && JwkSet.is(json) && json.keys.length > 0

// RFC 7517 §5, only with keys that a client might register: public ones of an accepted size
export const readPublicKeys = (path: string): E.Either<string, PublicKeys> =>
  pipe(
    jsonOf(path),
    E.filterOrElse(isPublicKeys, () => `${path} holds no set of public keys`),
  )
