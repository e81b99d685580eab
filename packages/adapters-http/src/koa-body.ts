// The bytes of a request's body, by koa-bodyparser.
import * as E from 'fp-ts/lib/Either.js'
import type Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import { declaresTooMuch } from './declares-too-much.js'
import { type UnreadBody, maxBodyBytes } from './http/request.js'

// Because koa-bodyparser alone makes {} of an empty body and U+FFFD of ill-formed UTF-8, it reads bytes, one a character.
const readText = bodyParser({
  enableTypes: ['text'],
  extendTypes: { text: ['application/json', 'application/x-www-form-urlencoded'] },
  encoding: 'binary',
  textLimit: String(maxBodyBytes),
})

const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined

// Because nothing was read where there is no body, and the types do not say so.
const bytesRead = (request: { readonly rawBody?: string | undefined }): Uint8Array =>
  Buffer.from(request.rawBody ?? '', 'binary')

export const readBytes = async (ctx: Koa.Context): Promise<E.Either<UnreadBody, Uint8Array>> => {
  if (declaresTooMuch(ctx.req)) return E.left('too_large')
  // Only identity comes this far, in any case (RFC 9110 §8.4); the reader knows it in lower case.
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
