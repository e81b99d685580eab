// RFC 9110 §15.6.4: another process holds the lock of the database.
import Database from 'better-sqlite3'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { started } from '../cli/run.js'
import { masterToken } from '../support/two-services.js'
import { Browser } from './support/browser.js'
import { confidential, configured, signIn } from './support/relying-party.js'

const busy = suite('a busy database')

/** Milliseconds that any request may wait. */
const patience = 5_000

// RFC 6749 §4.1.2.1: the error goes to the application where the session is known, and is a page elsewhere.
const reported = ({ status, headers }: Response): ReadonlyArray<unknown> => {
  const location = headers.get('location')
  const error = location === null ? undefined : new URL(location).searchParams.get('error')
  return [status === 503 ? 'temporarily_unavailable' : error, headers.get('retry-after')]
}

busy('an authorization request is answered in time, with Retry-After', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const flags = { 'data-dir': directory, 'master-token': masterToken, engine: 'oidc-provider' }
  const service = await started({ ...flags, 'registration-status': '201' })
  const [file = ''] = readdirSync(directory).filter((name) => /\.(?:db|sqlite)$/.test(name))
  const other = new Database(join(directory, file))
  try {
    const application = await configured(service, confidential)
    const browser = new Browser()
    await signIn(service, application, browser)
    const { url } = await application.request()
    const asStranger = new Browser()
    other.exec('BEGIN IMMEDIATE')
    for (const each of [browser, asStranger]) {
      const begun = performance.now()
      const answer = await each.open(url)
      const took = performance.now() - begun
      assert.equal(reported(answer), ['temporarily_unavailable', '1'])
      assert.ok(took < patience, String(took))
    }
    other.exec('ROLLBACK')
    assert.equal((await signIn(service, application, browser)).prompts, [])
  } finally {
    other.close()
    await service.stop()
    rmSync(directory, { recursive: true })
  }
})

busy.run()
