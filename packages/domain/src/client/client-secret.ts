import * as t from 'io-ts'
import { EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'

/** client_secret_expires_at is seconds since the epoch, or 0 when it never expires (RFC 7591 §3.2.1). */
export const ClientSecret = t.readonly(
  t.exact(t.type({ client_secret: t.string, client_secret_expires_at: EpochSeconds })),
  'ClientSecret',
)

export interface ClientSecret extends t.TypeOf<typeof ClientSecret> {}

const never = 0 as EpochSeconds

/** A lifetime of 0 seconds means that it never expires. */
export const clientSecret = (value: string, issuedAt: EpochSeconds, lifetime: number): ClientSecret => ({
  client_secret: value,
  client_secret_expires_at: lifetime === 0 ? never : secondsAfter(issuedAt, lifetime),
})

export const isExpired = (secret: ClientSecret, now: EpochSeconds): boolean =>
  secret.client_secret_expires_at !== 0 && secret.client_secret_expires_at <= now
