// Checkpoints of the audit log, signed by the present signing key and verified by the keys of the rings.
import { checkpointType } from '@clientele/domain/audit'
import { unavailable } from '@clientele/domain/kernel'
import { type KeyRing, keysOf } from '@clientele/domain/keys'
import type { CheckpointSigner, CheckpointVerifier, JwsSigner } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { base64url, compactVerify, decodeProtectedHeader } from 'jose'
import { importPublicKey } from './key-cache.js'

const encoded = (value: object): string => base64url.encode(JSON.stringify(value))

const headerOf = (jws: string): { readonly alg?: unknown; readonly kid?: unknown; readonly typ?: unknown } =>
  E.getOrElse(() => ({}))(
    E.tryCatch(
      () => decodeProtectedHeader(jws),
      () => undefined,
    ),
  )

export const createCheckpointSigner = (signer: JwsSigner, alg: string): CheckpointSigner => ({
  signCheckpoint: (claims) => async () => {
    await signer.readyToSign()
    const key = signer.signingKeyOf(alg)
    if (key === undefined) return E.left(unavailable(`no key ring of ${alg} signs checkpoints`))
    const input = `${encoded({ alg, kid: key.kid, typ: checkpointType })}.${encoded(claims)}`
    return pipe(
      signer.signInput(input),
      TE.map((signature) => `${input}.${signature}`),
      TE.mapLeft((refusal) => (refusal.error === 'unavailable' ? refusal : unavailable(refusal.error))),
    )()
  },
  isByPresentKey: (jws) => headerOf(jws).kid === signer.signingKeyOf(alg)?.kid,
})

/** Verifies by the keys of the rings, as they are at each verification. */
export const createCheckpointVerifier = (keyRings: () => ReadonlyArray<KeyRing>): CheckpointVerifier => ({
  isSignedCheckpoint: (jws) => async () => {
    const { alg, kid, typ } = headerOf(jws)
    const ring = keyRings().find((each) => each.use === 'sig' && each.alg === alg)
    const named = ring === undefined ? undefined : keysOf(ring).find(({ key }) => key.kid === kid)
    if (ring === undefined || named === undefined || typ !== checkpointType) return false
    try {
      await compactVerify(jws, await importPublicKey(ring.alg, named.key), { algorithms: [ring.alg] })
      return true
    } catch {
      return false
    }
  },
})
