import { members, parseWellFormedJson } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { ReadFile } from './read-file.js'

const JwkSet = t.type({ keys: t.array(t.intersection([t.type({ kty: t.string }), t.UnknownRecord])) })
export type PublicKeys = t.TypeOf<typeof JwkSet>

// RFC 7517 §5, only with keys that a client might register: public ones of an accepted size
export const readPublicKeys = (readFile: ReadFile, path: string): E.Either<string, PublicKeys> =>
  pipe(
    readFile(path),
    E.flatMap(parseWellFormedJson),
    O.fromEither,
    O.filter(members.jwks.type.codec.is),
    O.flatMap((set) => O.fromEither(JwkSet.decode(set))),
    O.filter(({ keys }) => keys.length > 0),
    E.fromOption(() => `${path} cannot be read or holds no set of public keys`),
  )
