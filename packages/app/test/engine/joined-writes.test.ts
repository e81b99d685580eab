// docs/decisions/speed.md: what a code flow leaves unwritten, and what it writes together.
import Database from 'better-sqlite3'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { started } from '../cli/run.js'
import { masterToken } from '../support/two-services.js'
import { Browser, goThrough } from './support/browser.js'
import { type Application, callback, confidential, configured, signIn } from './support/relying-party.js'

const joined = suite('joined writes')

type Opened = { readonly service: Service; readonly application: Application; readonly db: Database.Database }

const opened = (run: (opened: Opened) => Promise<void>) => async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const flags = { 'data-dir': directory, 'master-token': masterToken, engine: 'oidc-provider' }
  const service = await started({ ...flags, 'registration-status': '201' })
  const [file = ''] = readdirSync(directory).filter((name) => /\.(?:db|sqlite)$/.test(name))
  const db = new Database(join(directory, file))
  try {
    await run({ service, application: await configured(service, confidential), db })
  } finally {
    db.close()
    await service.stop()
    rmSync(directory, { recursive: true })
  }
}

const sessionsIn = (db: Database.Database): ReadonlyArray<unknown> => [
  db.prepare("SELECT payload, expires_at FROM artefacts WHERE kind = 'session'").all(),
  db.prepare('SELECT sid, used_at, version FROM end_user_sessions').all(),
]

joined(
  'a second code flow in a signed-in browser stores neither session again',
  opened(async ({ service, application, db }) => {
    const browser = new Browser()
    await signIn(service, application, browser)
    await signIn(service, application, browser)
    const before = sessionsIn(db)
    const { prompts, tokens } = await signIn(service, application, browser)
    assert.equal([prompts, tokens.claims()?.sub], [[], 'zoe'])
    assert.equal(sessionsIn(db), before)
  }),
)

joined(
  'a session whose id another request replaces meanwhile is stored again, as the cookie names it',
  opened(async ({ service, application, db }) => {
    const browser = new Browser()
    await signIn(service, application, browser)
    await signIn(service, application, browser)
    db.exec(`CREATE TRIGGER replaced AFTER INSERT ON artefacts WHEN NEW.kind = 'authorization_code'
      BEGIN DELETE FROM artefacts WHERE kind = 'session'; END`)
    await signIn(service, application, browser)
    db.exec('DROP TRIGGER replaced')
    const { prompts, tokens } = await signIn(service, application, browser)
    assert.equal([prompts, tokens.claims()?.sub], [[], 'zoe'])
  }),
)

const redeem = (
  { url }: Service,
  { registered: { client_id, client_secret } }: Application,
  code: string,
  codeVerifier: string,
): Promise<Response> =>
  fetch(`${url}/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      code_verifier: codeVerifier,
    }),
  })

joined(
  'two sign-ins of a browser at once, of which the session keeps one, both get tokens, and each application its sid again',
  opened(async ({ service, application, db }) => {
    const browser = new Browser()
    await signIn(service, application, browser)
    const other = await configured(service, confidential)
    await signIn(service, other, new Browser())
    const before = db.prepare("SELECT hash, payload, expires_at FROM artefacts WHERE kind = 'session'").all()
    const { tokens } = await signIn(service, other, browser)
    const restore = db.prepare('UPDATE artefacts SET payload = :payload, expires_at = :expires_at WHERE hash = :hash')
    for (const row of before) restore.run(row)
    await client.refreshTokenGrant(other.config, String(tokens.refresh_token))
    const again = await signIn(service, other, browser)
    assert.is(again.tokens.claims()?.['sid'], tokens.claims()?.['sid'])
  }),
)

joined(
  'a code is used with the token that is issued for it: one whose token is not stored is good again',
  opened(async ({ service, application, db }) => {
    const { url, checks } = await application.request()
    const { end } = await goThrough(new Browser(), service, url)
    const code = String(end?.searchParams.get('code'))
    const redeemed = () => redeem(service, application, code, String(checks.pkceCodeVerifier))
    db.exec(`CREATE TRIGGER full BEFORE INSERT ON artefacts WHEN NEW.kind = 'access_token'
      BEGIN SELECT RAISE(ABORT, 'full'); END`)
    assert.is((await redeemed()).status, 503)
    db.exec('DROP TRIGGER full')
    assert.is((await redeemed()).status, 200)
    assert.is((await redeemed()).status, 400)
  }),
)

for (const kind of ['access_token', 'refresh_token'])
  joined(
    `an answer of which the ${kind} is not stored is refused, and has no token`,
    opened(async ({ service, application, db }) => {
      const { url, checks } = await application.request()
      const { end } = await goThrough(new Browser(), service, url)
      db.exec(`CREATE TRIGGER full BEFORE INSERT ON artefacts WHEN NEW.kind = '${kind}'
        BEGIN SELECT RAISE(ABORT, 'full'); END`)
      const code = String(end?.searchParams.get('code'))
      const answer = await redeem(service, application, code, String(checks.pkceCodeVerifier))
      const body = (await answer.json()) as { readonly error?: string; readonly access_token?: string }
      assert.equal([answer.status, body.error, body.access_token], [503, 'temporarily_unavailable', undefined])
    }),
  )

joined.run()
