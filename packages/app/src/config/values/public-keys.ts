import { members } from '@clientele/domain/client'
import { readJson } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { ReadFile } from './read-file.js'

const JwkSet = t.type({ keys: t.array(t.intersection([t.type({ kty: t.string }), t.UnknownRecord])) })
export type PublicKeys = t.TypeOf<typeof JwkSet>

const isPublicKeys = (json: unknown): json is PublicKeys =>
  members.jwks.type.codec.is(json) && JwkSet.is(json) && json.keys.length > 0

// RFC 7517 §5, only with keys that a client might register: public ones of an accepted size
export const readPublicKeys = (readFile: ReadFile, path: string): E.Either<string, PublicKeys> =>
  pipe(
    readFile(path),
    E.mapLeft((code) => `${path} cannot be read (${code})`),
    E.flatMap((text) =>
      pipe(
        readJson(text),
        E.mapLeft((fault) => `${path} ${fault.text}`),
      ),
    ),
    E.filterOrElse(isPublicKeys, () => `${path} holds no set of public keys`),
  )
