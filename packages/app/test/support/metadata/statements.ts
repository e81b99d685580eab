// An issuer of software statements, and forgeries.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CryptoKey, type JWK, type JWTHeaderParameters, CompactSign, exportJWK, generateKeyPair } from 'jose'

export const issuer = 'https://issuer.example'

export type Signer = { readonly privateKey: CryptoKey; readonly publicJwk: JWK; readonly alg: string }

export const createSigner = async (alg: string): Promise<Signer> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { privateKey, publicJwk: { ...(await exportJWK(publicKey)), alg, kid: `kid-${alg}` }, alg }
}

type Header = Omit<JWTHeaderParameters, 'alg'>

/** The payload is used unchanged, so that it may be text that is not an object. */
export const signText = (signer: Signer, payload: string, header: Header = {}): Promise<string> =>
  new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ alg: signer.alg, kid: `kid-${signer.alg}`, ...header })
    .sign(signer.privateKey)

export const sign = (signer: Signer, claims: object, header: Header = {}): Promise<string> =>
  signText(signer, JSON.stringify({ iss: issuer, ...claims }), header)

export const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A file with the public keys, for the setting. */
export const keyFile = (...keys: ReadonlyArray<JWK>): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'clientele-issuer-')), 'issuer.json')
  writeFileSync(file, JSON.stringify({ keys }))
  return file
}
