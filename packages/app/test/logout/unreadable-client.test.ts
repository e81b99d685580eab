// An unreadable client does not prevent a logout, by the end-user or by the operator.
import Database from 'better-sqlite3'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { discard, newDataDir } from '../support/service.js'
import { openBrowser } from './support/browser.js'
import { backUri, startLogoutService } from './support/logout-service.js'
import { requested, isConfirmation } from './support/logout-world.js'

const unreadable = suite('an unreadable client at logout')

unreadable('its users are asked, without a way back, and signed out', async () => {
  const dataDir = newDataDir()
  const before = await startLogoutService({}, dataDir)
  const client = await before.register({ backchannel_logout_uri: 'https://rp.example/logout' })
  const session = await before.startSession('alice')
  const other = await before.startSession('alice')
  for (const each of [session, other]) await before.join(each, client)
  await before.stop()
  const db = new Database(join(dataDir, 'clientele.db'))
  db.prepare('UPDATE clients SET metadata = ?').run('{"redirect_uris":5}')
  db.close()

  const service = await startLogoutService({}, dataDir)
  try {
    const browser = openBrowser(service.base, [session.cookie])
    const id_token_hint = await service.idToken(client)
    const confirmation = isConfirmation(
      await browser.get(requested({ id_token_hint, post_logout_redirect_uri: backUri })),
    )
    const page = await browser.answer(confirmation, 'logout')
    assert.equal([page.status, page.headers.get('location')], [200, null])
    assert.equal(await service.sessionsOf('alice'), [other.sid])
    assert.is((await service.ask('DELETE', `/sessions/${other.sid}`)).status, 204)
  } finally {
    await service.stop()
    discard(dataDir)
  }
})

unreadable.run()
