// The baseline: a minimal program with the same I/O in one process: Koa, @koa/router, one SQLite file with
// synchronous=FULL, group commit.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto'
import http from 'node:http'
import Router from '@koa/router'
import Database from 'better-sqlite3'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'

const db = new Database(process.argv[2])
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(
  'CREATE TABLE clients(ordinal INTEGER PRIMARY KEY, client_id TEXT NOT NULL UNIQUE, information TEXT NOT NULL) STRICT',
)
const insert = db.prepare('INSERT INTO clients(client_id, information) VALUES (?, ?)')
const select = db.prepare('SELECT information FROM clients WHERE client_id = ?')

let waiting = []
const commitTogether = db.transaction((writes) => writes.forEach(({ row }) => insert.run(row)))
const flush = () => {
  const writes = waiting
  waiting = []
  commitTogether.immediate(writes)
  writes.forEach(({ done }) => done())
}
const written = (row) =>
  new Promise((done) => {
    if (waiting.push({ row, done }) === 1) setImmediate(flush)
  })

const information = (client_id, metadata) => ({
  client_id,
  client_id_issued_at: Math.floor(Date.now() / 1000),
  client_secret: randomBytes(32).toString('base64url'),
  client_secret_expires_at: 0,
  registration_access_token: randomBytes(32).toString('base64url'),
  registration_client_uri: `http://127.0.0.1/clients/${client_id}`,
  ...metadata,
})

const router = new Router()
router.post('/clients', bodyParser(), async (ctx) => {
  const made = information(randomBytes(16).toString('hex'), ctx.request.body)
  await written([made.client_id, JSON.stringify(made)])
  ctx.body = made
})
router.get('/clients/:id', (ctx) => {
  const row = select.get(ctx.params.id)
  if (row !== undefined) ctx.body = JSON.parse(row.information)
})

// Two public keys, rendered once.
const keys = Array.from({ length: 2 }, () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' }),
  kid: randomBytes(32).toString('base64url'),
  use: 'sig',
  alg: 'RS256',
}))
const keySet = Buffer.from(JSON.stringify({ keys }))
router.get('/jwks.json', (ctx) => {
  ctx.type = 'application/json'
  ctx.body = keySet
})

const metadata = Buffer.from(JSON.stringify({ issuer: 'http://127.0.0.1', padding: ''.padEnd(1_500, 'a') }))
router.get('/.well-known/openid-configuration', (ctx) => {
  ctx.type = 'application/json'
  ctx.body = metadata
})

// A logout confirmation page: a session, a client, one signature, and a constant page.
const session = db.prepare('SELECT ? AS sub')
const publicKey = createPublicKey(createPrivateKey({ key: JSON.parse(process.env.BENCH_KEY), format: 'jwk' }))
const confirmation = '<!doctype html><title>Sign out?</title>'.padEnd(6_000, ' ')
router.get('/logout', (ctx) => {
  const [header, claims, signature] = ctx.query.id_token_hint.split('.')
  const signed = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${claims}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  )
  const { aud, sub } = JSON.parse(Buffer.from(claims, 'base64url'))
  const client = JSON.parse(select.get(aud).information)
  if (!signed || session.get(ctx.cookies.get('session')) === undefined || sub === undefined) return
  if (!client.post_logout_redirect_uris.includes(ctx.query.post_logout_redirect_uri)) return
  ctx.type = 'html'
  ctx.body = confirmation
})

const app = new Koa()
app.use(router.routes())
const server = http.createServer(app.callback()).listen(0, '127.0.0.1', () => {
  console.log(`ready http://127.0.0.1:${server.address().port} /clients`)
})
