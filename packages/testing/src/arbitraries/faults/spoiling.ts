import type { MemberName } from '@clientele/domain/client'
import type { RuleId } from '@clientele/domain/kernel'
import type { SentMetadata } from '../json-values.js'

/** The place of a fault in a body, and its rule. */
export type MetadataFault = { readonly member: string; readonly pointer: string; readonly rule: RuleId }
export type Spoiling = { readonly fault: MetadataFault; readonly spoil: (valid: SentMetadata) => SentMetadata }

/** A client that satisfies all rules across members, so that one change violates one rule. */
export const plainClient = {
  application_type: 'web',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: ['https://rp.example/callback'],
  post_logout_redirect_uris: ['https://rp.example/bye'],
  token_endpoint_auth_method: 'client_secret_basic',
  id_token_signed_response_alg: 'RS256',
}

// Members that rules across members check are removed from the valid body; the others stay.
const isJudgedTogether = (name: string): boolean =>
  /_(?:alg|enc|method|supported)$|jwks|tls_client_auth|request_object$|sector|subject_type|channel|grant|response_types|redirect|application_type/.test(
    name,
  )

const alone = (valid: SentMetadata): SentMetadata =>
  Object.fromEntries(Object.entries(valid).filter(([name]) => !isJudgedTogether(name)))

export const spoiling = (
  rule: RuleId,
  pointer: string,
  members: SentMetadata,
  client: SentMetadata = plainClient,
): Spoiling => ({
  fault: { member: (pointer.split('/')[1] ?? '').replace(/#.*$/s, ''), pointer, rule },
  spoil: (valid) => ({ ...alone(valid), ...client, ...members }),
})

export const wrongly = (rule: RuleId, member: MemberName, values: ReadonlyArray<unknown>): ReadonlyArray<Spoiling> =>
  values.map((value) => spoiling(rule, `/${member}`, { [member]: value }))
