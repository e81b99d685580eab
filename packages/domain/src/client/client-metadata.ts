import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Fault } from '../codec/fault.js'
import { memberOfFault } from '../codec/fault.js'
import { validationFaults } from '../codec/validation-faults.js'
import type { LanguageTagged } from './language-tagged.js'
import { readLanguageTagged } from './language-tagged.js'
import { isMemberName, members } from './members.js'

const KnownMembers = t.partial(members, 'ClientMetadata')

type KnownMembers = Readonly<t.TypeOf<typeof KnownMembers>>

/** RFC 7591 §2, as sent: each member keeps its own rule, nothing is defaulted. */
export interface RequestedClientMetadata extends KnownMembers, LanguageTagged {}

type Defaults = Required<
  Pick<
    { readonly [Name in keyof KnownMembers]: NonNullable<KnownMembers[Name]> },
    | 'application_type'
    | 'grant_types'
    | 'id_token_signed_response_alg'
    | 'response_types'
    | 'subject_type'
    | 'token_endpoint_auth_method'
  >
>

/** RFC 7591 §2, effective: with every default. */
export interface ClientMetadata extends Omit<KnownMembers, keyof Defaults>, Defaults, LanguageTagged {}

export type ReadMembers = { readonly metadata: RequestedClientMetadata; readonly faults: ReadonlyArray<Fault> }

// Own members only: an inherited one is nobody's wish. Unknown ones are dropped (RFC 7591 §2).
const knownEntries = (body: Readonly<Record<string, unknown>>): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(body).filter(([name, value]) => isMemberName(name) && value !== undefined)

const readKnownMembers = (entries: ReadonlyArray<readonly [string, unknown]>): ReadMembers => {
  const decoded = KnownMembers.decode(Object.fromEntries(entries))
  if (E.isRight(decoded)) return { metadata: decoded.right, faults: [] }
  const faults = validationFaults(decoded.left)
  const faulty = new Set(faults.map(memberOfFault))
  return { metadata: readKnownMembers(entries.filter(([name]) => !faulty.has(name))).metadata, faults }
}

/** The members that keep their own rules, and what is wrong with the others: all of it, not only the first. */
export const readMembers = (body: Readonly<Record<string, unknown>>): ReadMembers => {
  const known = readKnownMembers(knownEntries(body))
  const { tagged, faults } = readLanguageTagged(body)
  return { metadata: { ...known.metadata, ...tagged }, faults: [...known.faults, ...faults] }
}

const redirectGrants = ['authorization_code', 'implicit']

export const usesRedirects = (grantTypes: ReadonlyArray<string>): boolean =>
  grantTypes.some((grantType) => redirectGrants.includes(grantType))

/** RFC 7591 §2 and OpenID Registration §2; a client without authorization_code gets no response type. */
export const withDefaults = (requested: RequestedClientMetadata): ClientMetadata => {
  const grant_types = requested.grant_types ?? ['authorization_code']
  return {
    ...requested,
    application_type: requested.application_type ?? 'web',
    grant_types,
    id_token_signed_response_alg: requested.id_token_signed_response_alg ?? 'RS256',
    response_types: requested.response_types ?? (grant_types.includes('authorization_code') ? ['code'] : []),
    subject_type: requested.subject_type ?? 'public',
    token_endpoint_auth_method: requested.token_endpoint_auth_method ?? 'client_secret_basic',
  }
}

const secretMethods = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt']

/** Whether the client authenticates with a secret or has its ID tokens signed with one. */
export const needsSecret = (metadata: ClientMetadata): boolean =>
  secretMethods.includes(metadata.token_endpoint_auth_method) || metadata.id_token_signed_response_alg.startsWith('HS')
