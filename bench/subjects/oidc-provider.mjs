// oidc-provider with open registration and its management: in one SQLite file with synchronous=FULL, or 'in-memory'.
import { generateKeyPairSync } from 'node:crypto'
import http from 'node:http'
import Database from 'better-sqlite3'
import Provider from 'oidc-provider'

const sqliteAdapter = (file) => {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(
    'CREATE TABLE oidc(model TEXT, id TEXT, payload TEXT NOT NULL, expires INTEGER, PRIMARY KEY(model, id)) STRICT',
  )
  const upsert = db.prepare('INSERT INTO oidc VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET payload = excluded.payload')
  const select = db.prepare('SELECT payload FROM oidc WHERE model = ? AND id = ?')
  const remove = db.prepare('DELETE FROM oidc WHERE model = ? AND id = ?')
  const expiry = (seconds) => (seconds === undefined ? null : Math.floor(Date.now() / 1000) + seconds)
  return (model) => ({
    upsert: async (id, payload, expiresIn) => void upsert.run(model, id, JSON.stringify(payload), expiry(expiresIn)),
    find: async (id) => {
      const row = select.get(model, id)
      return row === undefined ? undefined : JSON.parse(row.payload)
    },
    destroy: async (id) => void remove.run(model, id),
  })
}

// Its own adapter stores the latest 1,000 entries only.
const memoryAdapter = () => {
  const stored = new Map()
  return (model) => ({
    upsert: async (id, payload) => void stored.set(`${model} ${id}`, payload),
    find: async (id) => stored.get(`${model} ${id}`),
    destroy: async (id) => void stored.delete(`${model} ${id}`),
  })
}

const [, , file] = process.argv
const adapter = file === 'in-memory' ? memoryAdapter() : sqliteAdapter(file)

const keys = [
  JSON.parse(process.env.BENCH_KEY),
  { ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), use: 'sig' },
]

// Makes the session that its login would have made.
const signIn = async (provider, response) => {
  const session = new provider.Session({ accountId: 'alice', loginTs: Math.floor(Date.now() / 1000) })
  await session.save(3600)
  response.end(JSON.stringify({ cookie: `_session=${session.jti}` }))
}

const server = http.createServer()
server.listen(0, '127.0.0.1', () => {
  const base = `http://127.0.0.1:${server.address().port}`
  const provider = new Provider(base, {
    adapter,
    jwks: { keys },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      registrationManagement: { enabled: true },
    },
  })
  const serve = provider.callback()
  server.on('request', (request, response) =>
    request.url === '/bench/session' ? signIn(provider, response) : serve(request, response),
  )
  console.log(`ready ${base} /reg`)
})
