import * as T from 'fp-ts/lib/Task.js'
import type { Handler } from '../http/handler.js'
import { jsonResponse, noStore } from '../http/response.js'

/** The process answers. */
export const getLive: Handler = () => T.of(jsonResponse(200, { status: 'ok' }, noStore))
