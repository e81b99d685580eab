// Reads the body of a request by koa-bodyparser.
import * as E from 'fp-ts/lib/Either.js'
import type Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import { type UnreadBody, declaresTooMuch, maxBodyBytes } from './http/request.js'

// Reads the body as Latin-1, one character for each byte: as text, koa-bodyparser changes ill-formed UTF-8 to U+FFFD.
const readText = bodyParser({
  enableTypes: ['text'],
  extendTypes: {
    text: ['application/json', 'application/merge-patch+json', 'application/jwt', 'application/x-www-form-urlencoded'],
  },
  encoding: 'binary',
  textLimit: String(maxBodyBytes),
})

const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined

// Undefined for a request without a body; the types of koa-bodyparser omit this.
const bytesRead = (request: { readonly rawBody?: string | undefined }): Uint8Array =>
  Buffer.from(request.rawBody ?? '', 'binary')

export const readBytes = async (ctx: Koa.Context): Promise<E.Either<UnreadBody, Uint8Array>> => {
  if (declaresTooMuch(ctx.req)) return E.left('too_large')
  // RFC 9110 §8.4: only identity reaches this line, in any case; koa-bodyparser accepts it in lower case only.
  if (ctx.req.headers['content-encoding'] !== undefined) ctx.req.headers['content-encoding'] = 'identity'
  try {
    await readText(ctx, () => Promise.resolve())
  } catch (error) {
    const status = statusOf(error)
    if (status !== 413 && status !== 400) throw error
    return E.left(status === 413 ? 'too_large' : 'ended_early')
  }
  return E.right(bytesRead(ctx.request))
}
