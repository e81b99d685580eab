// The labels of refusals, from closed lists, and the count of those with a known credential.
import { ruleTexts } from '@clientele/domain/kernel'
import type { HttpLogEntry } from '@clientele/adapters-http'
import { refusalStatuses } from '@clientele/adapters-http/statuses'
import type { Counter } from 'prom-client'

/** What a request adds to the metrics. */
export type ObservedRequest = Pick<HttpLogEntry, 'method' | 'route' | 'status' | 'duration_ms'> &
  Partial<Pick<HttpLogEntry, 'error' | 'rules' | 'client_id' | 'actor'>>

// RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core §3.1.2.6, RFC 8707 §2, RFC 9126 §2.3
const errorsOfStandards = [
  'access_denied',
  'consent_required',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request_object',
  'invalid_request_uri',
  'invalid_target',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
]
const knownErrors = new Set([...Object.keys(refusalStatuses), ...errorsOfStandards])

const among = (isKnown: boolean, label: string): string => (isKnown ? label : 'other')

export const errorLabel = (error: string): string => among(knownErrors.has(error), error)
export const ruleLabel = (rule: string): string => among(Object.hasOwn(ruleTexts, rule), rule)

const knownCredentials = ['registration_access_token', 'initial_access_token', 'operator_token', 'master']

/** A token that is unknown, and one that counts elsewhere only, have the kind `token`. */
const credentialOf = ({ actor }: ObservedRequest): string | undefined =>
  knownCredentials.find((kind) => kind === actor?.kind)

type MakeCounter = (
  name: string,
  help: string,
  labelNames: ReadonlyArray<'credential' | 'rule'>,
) => Counter<'credential' | 'rule'>

export const countingCredentials = (counter: MakeCounter): ((request: ObservedRequest) => void) => {
  const refusals = counter(
    'clientele_credential_refusals_total',
    'Refused requests with a known credential, by its kind and the violated rule or error code',
    ['credential', 'rule'],
  )
  return (request) => {
    const credential = credentialOf(request)
    if (credential === undefined) return
    const { error = '', rules = [] } = request
    for (const rule of rules.length === 0 ? [errorLabel(error)] : rules.map(ruleLabel))
      refusals.inc({ credential, rule })
  }
}
