import type { TrustedIssuer } from '@clientele/adapters-jose'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readPublicKeys } from './public-keys.js'
import type { ReadFile } from './read-file.js'
import type { Parse } from './setting.js'

const rule = 'issuers with their JWK set files, such as https://issuer.example=/etc/clientele/issuer.json'

/** One issuer as ISSUER=FILE; RFC 8414 §2: an issuer has no query, so that the first = ends it. */
export const softwareStatementIssuer =
  (readFile: ReadFile): Parse<TrustedIssuer> =>
  (text) => {
    const [issuer, ...path] = text.split('=')
    if (issuer === undefined || issuer === '' || path.length === 0) return E.left(rule)
    return pipe(
      readPublicKeys(readFile, path.join('=')),
      E.map((jwks) => ({ issuer, jwks })),
      E.mapLeft((reason) => `${rule}: ${reason}`),
    )
  }
