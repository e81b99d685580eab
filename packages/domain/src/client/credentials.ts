// The secret of a client, and the credentials that an operator may preset.
import * as t from 'io-ts'
import { type Fault, fault, faultsAt, memberOfFault, optional, valueThat } from '../kernel/faults.js'
import { ownMember } from '../kernel/json-object.js'
import { EpochSeconds, secondsAfter } from '../kernel/time.js'
import { record } from '../kernel/values.js'
import { type ClientId, isNewClientId, isRegisteredId } from './ids.js'
import { needsSecret } from './metadata.js'
import type { ValidatedMetadata } from './rules.js'

/** client_secret_expires_at is seconds since the epoch, or 0 when it never expires (RFC 7591 §3.2.1). */
export const ClientSecret = record('ClientSecret', { client_secret: t.string, client_secret_expires_at: EpochSeconds })

export interface ClientSecret extends t.TypeOf<typeof ClientSecret> {}

const never = 0 as EpochSeconds

/** A lifetime of 0 seconds means that it never expires. */
export const clientSecret = (value: string, issuedAt: EpochSeconds, lifetime: number): ClientSecret => ({
  client_secret: value,
  client_secret_expires_at: lifetime === 0 ? never : secondsAfter(issuedAt, lifetime),
})

export const isExpired = (secret: ClientSecret, now: EpochSeconds): boolean =>
  secret.client_secret_expires_at !== 0 && secret.client_secret_expires_at <= now

// The members of a registration that preset the identifier and the secret of an imported client.

export type PresetCredentials = {
  readonly preferred_client_id: ClientId | undefined
  readonly preferred_client_secret: string | undefined
}

type Body = Readonly<Record<string, unknown>>

// RFC 6749 §A.2: VSCHAR
const secretPattern = /^[\x20-\x7E]{32,256}$/

const isSecret = (value: unknown): value is string => typeof value === 'string' && secretPattern.test(value)

const presetId = optional(
  valueThat('preferred-client-id', (value): value is ClientId => isRegisteredId(value) && isNewClientId(value)),
)
const presetSecret = optional(valueThat('preferred-client-secret', isSecret))

/** The valid ones of the preset credentials. */
export const presetCredentials = (body: Body): PresetCredentials => {
  const id = ownMember(body, 'preferred_client_id')
  const secret = ownMember(body, 'preferred_client_secret')
  return {
    preferred_client_id: presetId.is(id) ? id : undefined,
    preferred_client_secret: presetSecret.is(secret) ? secret : undefined,
  }
}

// While the members that decide it are invalid, it is unknown whether the client has a secret.
const isUndecided = (faults: ReadonlyArray<Fault>): boolean =>
  faults.some((each) => /^token_endpoint_auth_method|_alg$/.test(memberOfFault(each)))

/** A preset secret requires a client that uses one. */
export const presetFaults = (body: Body, { metadata, faults }: ValidatedMetadata): ReadonlyArray<Fault> => {
  const secret = ownMember(body, 'preferred_client_secret')
  const isUnused = secret !== undefined && !isUndecided(faults) && !needsSecret(metadata)
  return [
    ...faultsAt('preferred_client_id', presetId.brokenRules(ownMember(body, 'preferred_client_id'))),
    ...faultsAt('preferred_client_secret', presetSecret.brokenRules(secret)),
    ...(isUnused ? [fault('preferred-client-secret-unused')('preferred_client_secret')] : []),
  ]
}
