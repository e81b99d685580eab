// Who sends a request, and which client it is about: for its log entry.
import { type PresentedCredential, fingerprintOf } from '@clientele/domain/authorization'
import type { Caller } from '@clientele/domain/operations'
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

/** The response with who called; a token that opens nothing has the kind `token`. */
export const byCaller = (
  response: HttpResponse,
  { by, credential }: Pick<Caller<never, unknown>, 'by' | 'credential'>,
  kindOfToken: Actor['kind'] = 'token',
): HttpResponse => {
  const actor = actorOf(credential)
  if (actor === undefined) return response
  const isOpened = by === 'token' && response.status !== refusalStatuses.invalid_token
  return Object.assign({}, response, { actor: isOpened ? { ...actor, kind: kindOfToken } : actor })
}

/** The response with the client that it is about. */
export const aboutClient = (response: HttpResponse, client_id: string): HttpResponse =>
  Object.assign({}, response, { client_id })

const beforeItIsFound: ReadonlySet<number> = new Set([
  refusalStatuses.missing_token,
  refusalStatuses.unknown_client,
  refusalStatuses.unavailable,
])

/** Whether an answer of the route of a client shows that it exists: a privilege that is missing says nothing of it. */
export const isFound = ({ status, actor }: HttpResponse): boolean =>
  !beforeItIsFound.has(status) &&
  (status !== refusalStatuses.insufficient_scope || actor?.kind === 'registration_access_token')
