import type { RequestingClient } from './requesting-client.js'

/** Why a request was refused, for its log entry. */
export type EngineRefusal = {
  /** The error code that was answered. */
  readonly error: string
  /** What the answer does not say; it contains no secret. */
  readonly detail?: string
  /** Why the service failed. */
  readonly cause?: Error
}

/** What is known of an answered request, for its log entry. */
export type EngineReport = {
  readonly refusal?: { readonly error: string }
  /** What a refusal says to the developer of the client. */
  readonly reason?: string
  /** Why the service failed. */
  readonly detail?: unknown
  readonly client_id?: string
  /** Where the client sent the request itself, and its credentials are not refused. */
  readonly actor?: { readonly kind: 'client' }
}

// RFC 9110 §15.6: only the log explains why the service failed. Other refusals have a reason for the client's developer.
const membersOf = ({ error, detail, cause }: EngineRefusal, status: number): EngineReport => ({
  refusal: { error },
  ...(detail === undefined ? {} : { [status < 500 ? 'reason' : 'detail']: detail }),
  ...(cause === undefined ? {} : { detail: cause }),
})

export const reportOf = (
  refusal: EngineRefusal | undefined,
  client: RequestingClient | undefined,
  status: number,
): EngineReport => ({
  ...(refusal === undefined ? {} : membersOf(refusal, status)),
  ...(client === undefined ? {} : { client_id: client.client_id }),
  ...(client?.isSender === true && refusal?.error !== 'invalid_client' ? { actor: { kind: 'client' } } : {}),
})
