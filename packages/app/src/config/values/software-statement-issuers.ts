import type { TrustedIssuer } from '@clientele/adapters-jose'
import { members, parseWellFormedJson } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { ReadFile } from './read-file.js'
import type { Parse } from './setting.js'

const JwkSet = t.type({ keys: t.array(t.intersection([t.type({ kty: t.string }), t.UnknownRecord])) })

const rule = 'issuers with their JWK set files, such as https://issuer.example=/etc/clientele/issuer.json'

// RFC 7517 §5, only with keys that a client might register: public ones of an accepted size
const readJwkSet = (readFile: ReadFile, path: string): E.Either<string, t.TypeOf<typeof JwkSet>> =>
  pipe(
    readFile(path),
    E.flatMap(parseWellFormedJson),
    O.fromEither,
    O.filter(members.jwks.type.codec.is),
    O.flatMap((set) => O.fromEither(JwkSet.decode(set))),
    O.filter(({ keys }) => keys.length > 0),
    E.fromOption(() => `${rule}; of these files, one cannot be read or holds no set of public keys`),
  )

/** One issuer as ISSUER=FILE; RFC 8414 §2: an issuer has no query, so that the first = ends it. */
export const softwareStatementIssuer =
  (readFile: ReadFile): Parse<TrustedIssuer> =>
  (text) => {
    const [issuer, ...path] = text.split('=')
    if (issuer === undefined || issuer === '' || path.length === 0) return E.left(rule)
    return pipe(
      readJwkSet(readFile, path.join('=')),
      E.map((jwks) => ({ issuer, jwks })),
    )
  }
