import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

/** Where the running service is, and the token by which it does what commands ask. */
export type ServiceAccess = { readonly url: string; readonly masterToken: string }

const usualTimeLimit = 15_000

export type Asking = {
  /** GET without a body and POST with one, where it is left out. */
  readonly method?: 'DELETE'
  /** Milliseconds until the answer begins; 15 seconds where it is left out. */
  readonly timeLimit?: number
}

// Only the wait for the answer is limited: a long list may take longer than any limit for its beginning.
const answered = async (url: string, request: RequestInit, timeLimit: number): Promise<Response> => {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), timeLimit)
  try {
    return await fetch(url, { ...request, redirect: 'error', signal: patience.signal })
  } finally {
    clearTimeout(timer)
  }
}

/** What the running service answers to MASTER, or that it cannot be asked. */
export const askService = (
  { url, masterToken }: ServiceAccess,
  path: string,
  json?: object,
  { method, timeLimit = usualTimeLimit }: Asking = {},
): TE.TaskEither<string, Response> =>
  pipe(
    TE.tryCatch(
      () =>
        answered(
          url + path,
          {
            method: method ?? (json === undefined ? 'GET' : 'POST'),
            headers: {
              Authorization: `Bearer ${masterToken}`,
              ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
            },
            ...(json === undefined ? {} : { body: JSON.stringify(json) }),
          },
          timeLimit,
        ),
      () => `the running service cannot be reached at ${url}`,
    ),
    TE.filterOrElse(
      ({ status }) => status !== 401,
      () => 'the running service does not accept the master token: set the one that it has',
    ),
  )
