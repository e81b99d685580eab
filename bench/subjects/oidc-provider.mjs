// oidc-provider with open registration and its management, authorization and tokens: in one SQLite file with
// synchronous=FULL, or 'in-memory'.
import { generateKeyPairSync } from 'node:crypto'
import http from 'node:http'
import Database from 'better-sqlite3'
import Provider, { errors } from 'oidc-provider'

const now = () => Math.floor(Date.now() / 1000)

const sqliteAdapter = (file) => {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(`
    CREATE TABLE oidc(
      model TEXT, id TEXT, payload TEXT NOT NULL, expires INTEGER, uid TEXT, grant_id TEXT, consumed INTEGER,
      PRIMARY KEY(model, id)
    ) STRICT;
    CREATE INDEX oidc_by_uid ON oidc(uid) WHERE uid IS NOT NULL;
    CREATE INDEX oidc_by_grant ON oidc(grant_id) WHERE grant_id IS NOT NULL;
  `)
  const upsert = db.prepare(`
    INSERT INTO oidc(model, id, payload, expires, uid, grant_id) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET payload = excluded.payload, expires = excluded.expires`)
  const select = db.prepare('SELECT payload, consumed FROM oidc WHERE model = ? AND id = ?')
  const selectByUid = db.prepare('SELECT payload, consumed FROM oidc WHERE model = ? AND uid = ?')
  const consume = db.prepare('UPDATE oidc SET consumed = ? WHERE model = ? AND id = ? AND consumed IS NULL')
  const remove = db.prepare('DELETE FROM oidc WHERE model = ? AND id = ?')
  const removeOfGrant = db.prepare('DELETE FROM oidc WHERE grant_id = ?')
  const expiry = (seconds) => (seconds === undefined ? null : now() + seconds)
  const read = (row) =>
    row && { ...JSON.parse(row.payload), ...(row.consumed === null ? {} : { consumed: row.consumed }) }
  return (model) => ({
    upsert: async (id, payload, seconds) => {
      const { uid = null, grantId = null } = payload
      upsert.run(model, id, JSON.stringify(payload), expiry(seconds), uid, grantId)
    },
    find: async (id) => read(select.get(model, id)),
    findByUid: async (uid) => read(selectByUid.get(model, uid)),
    // RFC 6749 §4.1.2: of two requests at once, one wins.
    consume: async (id) => {
      if (consume.run(now(), model, id).changes === 0) throw new errors.InvalidGrant('used before')
    },
    destroy: async (id) => void remove.run(model, id),
    revokeByGrantId: async (grantId) => void removeOfGrant.run(grantId),
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
  const session = new provider.Session({ accountId: 'alice', loginTs: now() })
  await session.save(3600)
  response.end(JSON.stringify({ cookie: `_session=${session.jti}` }))
}

const interactionPath = '/bench/interaction/'

// In place of the pages of a host: alice signs in and consents.
const answerInteraction = async (provider, request, response) => {
  const { params } = await provider.interactionDetails(request, response)
  const grant = new provider.Grant({ accountId: 'alice', clientId: params.client_id })
  grant.addOIDCScope(params.scope)
  const result = { login: { accountId: 'alice' }, consent: { grantId: await grant.save() } }
  await provider.interactionFinished(request, response, result)
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
    interactions: { url: (_, { uid }) => interactionPath + uid },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    ttl: {
      Session: 86_400,
      Grant: 86_400,
      Interaction: 3600,
      AuthorizationCode: 60,
      AccessToken: 3600,
      RefreshToken: 86_400,
      IdToken: 3600,
    },
  })
  const serve = provider.callback()
  server.on('request', (request, response) => {
    if (request.url === '/bench/session') return signIn(provider, response)
    if (request.url.startsWith(interactionPath)) return answerInteraction(provider, request, response)
    return serve(request, response)
  })
  console.log(`ready ${base} /reg`)
})
