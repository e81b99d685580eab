import type { IncomingMessage } from 'node:http'
import { maxBodyBytes } from './http/request.js'

/** RFC 9110 §8.6: whether the Content-Length of a request exceeds the maximum. */
export const declaresTooMuch = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  Number(headers['content-length']) > maxBodyBytes
