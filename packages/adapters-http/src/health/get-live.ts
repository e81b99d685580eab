import type { Handler } from '../http/handler.js'
import { okResponse } from '../http/response.js'

/** The process answers requests. */
export const getLive: Handler = () => okResponse({ status: 'ok' })
