import { type PresentedCredential, type TokenHash, presentedToken } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Query, ReceivedRequest, RequestBody } from './request.js'

const maxLength = 4096
// RFC 6750 §2.1: b64token; RFC 9110 §11.4: the scheme in any case, one or more spaces
const credentials = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** In place of the master token, where only the operator can send requests: every request is the operator's. */
export const operatorAlone: unique symbol = Symbol('operator alone')

export type BearerSettings = {
  readonly masterToken: TokenHash | typeof operatorAlone
  readonly hashToken: (token: string) => TokenHash
}

const hasTokenIn = (body: RequestBody): boolean =>
  E.isRight(body) && typeof body.right === 'object' && body.right !== null && Object.hasOwn(body.right, 'access_token')

const tokenIn = (header: string): string | undefined =>
  header.length > maxLength ? undefined : credentials.exec(header)?.[1]

/** The credential of a request; only the hash of its token leaves this function. */
export const presentedCredential = ({ masterToken, hashToken }: BearerSettings) => {
  const credentialOf = masterToken === operatorAlone ? undefined : presentedToken(masterToken)
  return (authorization: ReceivedRequest['authorization'], query: Query, body: RequestBody): PresentedCredential => {
    if (credentialOf === undefined) return { kind: 'master' }
    // RFC 6750 §2: one method for sending a token; the service accepts only the header
    if (authorization.length > 1 || 'access_token' in query || hasTokenIn(body)) return { kind: 'unusable' }
    const [header] = authorization
    if (header === undefined) return { kind: 'none' }
    const token = tokenIn(header)
    return token === undefined ? { kind: 'unusable' } : credentialOf(hashToken(token))
  }
}
