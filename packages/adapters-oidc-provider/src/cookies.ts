import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Configuration } from 'oidc-provider'

type Signatures = Exclude<NonNullable<NonNullable<Configuration['cookies']>['keys']>, ReadonlyArray<string | Buffer>>

/** By HMAC-SHA-256, in place of the engine's HMAC-SHA-1: the first key signs, and all verify. */
export const cookieSignatures = (keys: ReadonlyArray<string>): Signatures => {
  const signatures = (data: string): ReadonlyArray<string> =>
    keys.map((key) => createHmac('sha256', key).update(data).digest('base64url'))
  const index = (data: string, signature: string): number => {
    const given = Buffer.from(signature)
    const isSame = (each: Buffer): boolean => each.length === given.length && timingSafeEqual(each, given)
    return signatures(data).findIndex((each) => isSame(Buffer.from(each)))
  }
  return {
    sign: (data: string) => signatures(data)[0] ?? '',
    verify: (data: string, signature) => index(data, signature) >= 0,
    index,
  }
}

/**
 * RFC 6265bis §4.1.3: the prefixes stop other hosts and plain http from setting them; without https there are none. The
 * cookies of an interaction are sent to its pages only.
 */
export const cookieNames = (
  baseUrl: string,
): { readonly session: string; readonly interaction: string; readonly resume: string } =>
  baseUrl.startsWith('https:')
    ? {
        session: '__Host-clientele-provider',
        interaction: '__Secure-clientele-interaction',
        resume: '__Secure-clientele-resume',
      }
    : { session: 'clientele-provider', interaction: 'clientele-interaction', resume: 'clientele-resume' }
