// The answers to a client that is suspended or gone, or whose document does not count: docs/life-cycle.md,
// docs/client-id-metadata-documents.md.
import { type Withdrawn, withdrawnTexts } from '@clientele/domain/life-cycle'
import type { DocumentRefused } from '@clientele/domain/provider'
import { errors } from 'oidc-provider'
import { presentRequest } from '../context.js'

/** Where an end-user is asked, so that a document counts before its approval. */
const byRequest = ['authorization', 'resume', 'pushed_authorization_request']
const byClient = ['token', 'introspection', 'revocation']

const presentRoute = (): string => presentRequest()?.oidc.route ?? ''

export const leadsToConsent = (): boolean => byRequest.includes(presentRoute())

/** RFC 6749 §5.2 and §4.1.2.1, with the remedy: applications register anew where the code is invalid_client. */
class RefusedClient extends errors.OIDCProviderError {
  constructor(description: string, detail: string, isAtPage: boolean) {
    super(isAtPage ? 400 : 401, 'invalid_client')
    this.error_description = description
    this.error_detail = detail
  }
}

/** Throws at a door that says so; elsewhere there is no such client. */
const refuse = (description: string, detail: string): undefined => {
  const oidc = presentRequest()?.oidc
  const route = presentRoute()
  if (oidc === undefined || ![...byRequest, ...byClient].includes(route)) return undefined
  // The engine looks for the client again where a request to redirect the answer has none yet.
  Object.assign(oidc, { noclient: true })
  throw new RefusedClient(description, detail, route === 'authorization' || route === 'resume')
}

/** RFC 7662 §2.1: before the token is found, so that no answer tells whether it is one. */
export const refusePublicIntrospection = (): never => {
  throw new RefusedClient('Only a client that authenticates may introspect', 'the client has no authentication', false)
}

/** RFC 6749 §5.2: 401 where the client authenticates; elsewhere its secret was to sign, verify or encrypt something. */
export const refuseExpired = (use: string, error = 'invalid_client'): never => {
  const authenticates = [...byClient, 'pushed_authorization_request'].includes(presentRoute())
  const isOfClient = authenticates && error === 'invalid_client'
  const text = 'The client_secret has expired: read the registration for its new one'
  throw Object.assign(new RefusedClient(text, use, !isOfClient), { error, message: error })
}

export const refuseWithdrawn = (state: Withdrawn): undefined => refuse(withdrawnTexts[state], `the client is ${state}`)

export const refuseDocument = ({ error_description, errors: faults }: DocumentRefused): undefined =>
  refuse(error_description, `the document is refused: ${faults.map(({ rule }) => rule).join(', ')}`)

/** No end-user has approved the document, so that its client has no tokens. */
export const refuseUnapproved = (): undefined =>
  refuse(
    'No end-user has consented to this client yet: begin with an authorization request',
    'no end-user has approved the document',
  )
