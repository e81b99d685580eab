import type { IncomingMessage, ServerResponse } from 'node:http'

/** A listener for node:http; the promise, if it returns one, settles when the request is finished. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown
