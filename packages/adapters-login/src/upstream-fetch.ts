import { UpstreamAway } from './upstream-failure.js'

export type UpstreamRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A fetch with the limits of the service; a rejection has a short message, for the log. */
export type UpstreamFetch = (url: string, request: UpstreamRequest) => Promise<Response>

/** The fetch for the library: a failure of the server counts as one to be retried. */
export const fetchForUpstream =
  (fetch: UpstreamFetch): UpstreamFetch =>
  async (url, request) => {
    const response = await fetch(url, request).catch((error: unknown) => {
      throw new UpstreamAway(error instanceof Error ? error.message : 'unknown')
    })
    if (response.status >= 500 || response.status === 429) throw new UpstreamAway(`the status is ${response.status}`)
    return response
  }
