import type { IncomingMessage } from 'node:http'
import { maxBodyBytes } from './http/request.js'

/** RFC 9110 §8.6: whether a request declares a body that is larger than any that is read. */
export const declaresTooMuch = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  Number(headers['content-length']) > maxBodyBytes
