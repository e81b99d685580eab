// Who sends a request, and which client it is about: for its log entry.
import { type PresentedCredential, fingerprintOf } from '@clientele/domain/authorization'
import type { Recognized } from '@clientele/domain/operations'
import type { Actor, HttpResponse } from './response.js'
import { refusalStatuses } from './statuses.js'

/** The actor of a presented credential; undefined where there is none that could be one. */
const actorOf = (credential: PresentedCredential): Actor | undefined => {
  switch (credential.kind) {
    case 'none':
    case 'unusable':
      return undefined
    case 'store':
      return { kind: 'store' }
    case 'master':
      return credential.hash === undefined
        ? { kind: 'master' }
        : { kind: 'master', fingerprint: fingerprintOf(credential.hash) }
    case 'operator_token':
    case 'token':
      return { kind: credential.kind, fingerprint: fingerprintOf(credential.hash) }
  }
}

type Known = Parameters<Recognized>[0]

const actorOfOperator = ({ kind, fingerprint }: Known): Actor => (fingerprint === '' ? { kind } : { kind, fingerprint })

/** The response with the client that it is about. */
export const aboutClient = (response: HttpResponse, client_id: string): HttpResponse =>
  Object.assign({}, response, { client_id })

/** The same, unless the request was refused: then no client may have the id. */
export const aboutNamed =
  (client_id: string) =>
  (response: HttpResponse): HttpResponse =>
    response.refusal === undefined ? aboutClient(response, client_id) : response

/** The response with the actor, unless it has one. */
export const byActor = (response: HttpResponse, credential: PresentedCredential): HttpResponse => {
  if (response.actor !== undefined) return response
  const actor = actorOf(credential)
  return actor === undefined ? response : Object.assign({}, response, { actor })
}

export const byOperator = (response: HttpResponse, operator: Known): HttpResponse =>
  Object.assign({}, response, { actor: actorOfOperator(operator) })

type Recognizing = {
  /** For the use case, which distinguishes an operator from the holder of a client's token. */
  readonly recognized: Recognized
  readonly attribute: (response: HttpResponse) => HttpResponse
}

/** Distinguishes the tokens of clients from those of operators; the kind of a token that was not accepted is not known. */
export const recognizing = (credential: PresentedCredential, kind: Actor['kind']): Recognizing => {
  const known: { operator: Known | undefined } = { operator: undefined }
  return {
    recognized: (operator) => (known.operator = operator),
    attribute: (response) => {
      if (known.operator !== undefined) return byOperator(response, known.operator)
      // A token that permits too little is one that counts: RFC 6750 §3.1.
      const { invalid_request, insufficient_scope } = refusalStatuses
      const isAccepted =
        response.refusal === undefined || [invalid_request, insufficient_scope].includes(response.status)
      return isAccepted && credential.kind === 'token'
        ? Object.assign({}, response, { actor: { ...actorOf(credential), kind } })
        : response
    },
  }
}
