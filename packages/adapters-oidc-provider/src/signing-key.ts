// docs/decisions/0103: the engine composes tokens, and this service signs them.
import type { JwsSigner, SigningKey } from '@clientele/domain/ports'
import { createPublicKey, type KeyObject } from 'node:crypto'
import { ExternalSigningKey } from 'oidc-provider'
import { orThrow } from './errors.js'

type Parameters = Readonly<Partial<Record<'kty' | 'crv' | 'e' | 'n' | 'x' | 'y', string>>>

/** The key of an algorithm that signs at present: after a roll-over it is another one, without a new engine. */
export class PresentSigningKey extends ExternalSigningKey {
  readonly #alg: string
  readonly #signer: JwsSigner

  constructor(alg: string, signer: JwsSigner) {
    super()
    this.#alg = alg
    this.#signer = signer
  }

  #present(): SigningKey {
    const key = this.#signer.signingKeyOf(this.#alg)
    if (key === undefined) throw new Error(`no key of this service signs by ${this.#alg}`)
    return key
  }

  #parameters(): Parameters {
    return this.#present().jwk
  }

  override get kid(): string {
    return this.#present().kid
  }

  override get alg(): string {
    return this.#alg
  }

  override get kty(): string {
    return this.#present().jwk.kty
  }

  override get crv(): string | undefined {
    return this.#parameters().crv
  }

  override get e(): string | undefined {
    return this.#parameters().e
  }

  override get n(): string | undefined {
    return this.#parameters().n
  }

  override get x(): string | undefined {
    return this.#parameters().x
  }

  override get y(): string | undefined {
    return this.#parameters().y
  }

  override keyObject(): KeyObject {
    return createPublicKey({ key: { ...this.#present().jwk }, format: 'jwk' })
  }

  // RFC 7515 §5.1: the octets are the signing input.
  override async sign(data: Uint8Array): Promise<Uint8Array> {
    const signature = await orThrow(this.#signer.signInput(Buffer.from(data).toString('ascii')))
    return Buffer.from(signature, 'base64url')
  }
}
