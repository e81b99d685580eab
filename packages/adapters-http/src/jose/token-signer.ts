import type {
  EpochSeconds,
  KeyPolicy,
  KeyRing,
  RingKey,
  TokenSigner,
  Unavailable,
  UnsignedToken,
} from '@clientele/domain'
import { keysOf, permitSigning, signingKey, unavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { CryptoKey, JWK } from 'jose'
import { SignJWT, importJWK } from 'jose'

export type SigningSettings = { readonly issuer: string; readonly policy: KeyPolicy }

export type SigningPorts = {
  /** The rings as they are published now. */
  readonly keyRings: () => ReadonlyArray<KeyRing>
  readonly now: () => EpochSeconds
}

type ImportedKey = CryptoKey | Uint8Array
type ImportKey = (alg: string, key: RingKey) => Promise<ImportedKey>

// What went wrong is not told further: the reason could quote the private half.
const imported = async (alg: string, { privateKey }: RingKey): Promise<ImportedKey> => {
  try {
    // The text is what a key maker wrote, or what was checked when it was imported.
    return await importJWK(JSON.parse(privateKey) as JWK, alg)
  } catch {
    throw new Error(`a private key of ${alg} cannot be read`)
  }
}

// Because importing takes longer than signing, keys that are in a ring are kept, and no others.
const createKeyCache = (keyRings: SigningPorts['keyRings']): ImportKey => {
  const kept = new Map<string, Promise<ImportedKey>>()
  const forgetGone = (): void => {
    const present = new Set(keyRings().flatMap((ring) => keysOf(ring).map(({ key }) => key.kid)))
    for (const kid of kept.keys()) if (!present.has(kid)) kept.delete(kid)
  }
  return (alg, key) => {
    const known = kept.get(key.kid)
    if (known !== undefined) return known
    forgetGone()
    const fresh = imported(alg, key)
    kept.set(key.kid, fresh)
    return fresh
  }
}

const signed = async (
  issuer: string,
  { alg, typ, claims, expiresAt }: UnsignedToken,
  { kid, key, at }: { readonly kid: string; readonly key: ImportedKey; readonly at: EpochSeconds },
): Promise<string> =>
  new SignJWT({ ...claims, iss: issuer, iat: at, exp: expiresAt }).setProtectedHeader({ alg, typ, kid }).sign(key)

/** Signs with the key that signs now, and refuses every other one. */
export const createTokenSigner = ({ issuer, policy }: SigningSettings, ports: SigningPorts): TokenSigner => {
  const importKey = createKeyCache(ports.keyRings)
  const signWith = (token: UnsignedToken, key: RingKey, at: EpochSeconds): TE.TaskEither<Unavailable, string> =>
    TE.tryCatch(
      async () => signed(issuer, token, { kid: key.kid, key: await importKey(token.alg, key), at }),
      unavailable,
    )
  return {
    signToken: (token) => async () => {
      const [rings, at] = [ports.keyRings().filter(({ use }) => use === 'sig'), ports.now()]
      const ring = rings.find(({ alg }) => alg === token.alg)
      if (ring === undefined) return E.left({ error: 'no_such_ring', known: rings.map(({ alg }) => alg) })
      const wanted = { kid: token.kid ?? signingKey(ring).kid, expiresAt: token.expiresAt }
      return pipe(
        TE.fromEither(permitSigning(policy, at)(ring, wanted)),
        TE.flatMap((key) => signWith(token, key, at)),
      )()
    },
  }
}
