// The response of the service to the request, in words.
import { refusalStatuses } from '@clientele/adapters-http/statuses'
import type { InvalidScope } from '@clientele/domain/kernel'
import type { Explanation } from '@clientele/domain/operations'

export type Decision = {
  readonly kind: 'registered' | 'refused'
  readonly status: number
  /** The error code; left out if the client would be registered. */
  readonly error?: string
  /** In place of the status, where no request of this page's service is answered. */
  readonly headline?: string
  readonly description: string
}

export const maxBytes = 65_536

export const tooLarge: Decision = {
  kind: 'refused',
  status: refusalStatuses.too_large,
  error: 'invalid_request',
  description: `The body is larger than ${maxBytes} bytes`,
}

/** No such token exists, so that there is no such registration. */
export const noSuchToken = ({ error, error_description }: InvalidScope): Decision => ({
  kind: 'refused',
  status: refusalStatuses[error],
  error,
  description: `No such initial access token can be issued: ${error_description}`,
})

/** Capitalizes the beginning of a sentence, except for the name of a member. */
export const sentence = (text: string): string => text.replace(/^an entry of /, 'An entry of ')

const permittedBy = ({ by, approval }: Explanation): string => {
  const permitted =
    by === 'nobody' ? 'Open registration permits all that is asked' : 'The token permits all that is asked'
  return approval === undefined ? permitted : `${permitted}. ${approval.description}`
}

export const decisionOf = (explanation: Explanation, statusOfSuccess: number): Decision => {
  const { refusal } = explanation
  if (refusal === undefined)
    return { kind: 'registered', status: statusOfSuccess, description: permittedBy(explanation) }
  return {
    kind: 'refused',
    status: refusalStatuses[refusal.error],
    error: refusal.error,
    description: sentence(refusal.error_description),
  }
}
