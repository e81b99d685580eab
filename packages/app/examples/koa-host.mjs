// The whole service under an application of your own: node packages/app/examples/koa-host.mjs
import { compose, createLog, loadConfig, readFile } from '@clientele/app'
import * as E from 'fp-ts/lib/Either.js'
import Koa from 'koa'

const port = Number(process.env.PORT ?? 3000)
const orExit = (result) => (E.isRight(result) ? result.right : process.exit(console.error(result.left) ?? 1))

const flags = { 'base-url': `http://127.0.0.1:${port}/op`, 'data-dir': process.env.DATA_DIR ?? 'data' }
const { config } = orExit(loadConfig({ flags, environment: {}, readFile }))

const host = new Koa()
host.use(async (ctx, next) => {
  if (ctx.path !== '/') return next()
  ctx.body = 'an application with a provider at /op\n'
})
const mount = (listener) =>
  host.use((ctx) => {
    // RFC 8414 §3.1: metadata is under /.well-known of the host, with the path of the issuer at its end.
    if (!/^\/(?:op|\.well-known)\//.test(ctx.path)) return
    ctx.respond = false
    listener(ctx.req, ctx.res)
  })

const log = createLog('info', process.stderr)
const service = orExit(await compose(config, { log, mount, onFatal: () => process.exit(1) })())
const server = host.listen(port, '127.0.0.1', () => console.log(`ready ${service.baseUrl}`))
process.once('SIGTERM', () => server.close(() => service.stop()))
