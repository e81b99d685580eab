// The audit log tells whose operator token made a change, also after its revocation.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditEntry } from '@clientele/domain/audit'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { run } from '../cli/run.js'
import { asks, open, prepared, redirect_uris } from './support/world.js'

type Listed = { readonly rows: ReadonlyArray<{ readonly entry: AuditEntry }> }

const Names = suite('names of operator tokens in the audit log')

const name = 'laptop of “Zoë”'

Names(
  'are in the rows of their changes, which are found by them, and those of the master token by its kind',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'clientele-'))
    const world = await open(dataDir)
    try {
      const { json } = await prepared(world, 'management', 'POST', '/operator-tokens', {
        scope: 'clients:write keys',
        name,
      })
      const token = String(json['access_token'])
      const ask = asks(world)
      const made = await ask('http', 'POST', '/clients', { token, json: { redirect_uris } })
      const rolled = await ask('management', 'POST', '/keys/roll-over', { token, json: {} })
      assert.equal([made.status, rolled.status], [200, 200])
      const id = String(json['id'])
      await prepared(world, 'management', 'DELETE', `/operator-tokens/${id}`)
      const fingerprint = id.slice(0, 12)
      for (const actor of [name, fingerprint, id]) {
        const path = `/manage/v1/audit?actor=${encodeURIComponent(actor)}`
        const { rows } = (await prepared(world, 'management', 'GET', path)).json as unknown as Listed
        assert.equal(
          rows.map(({ entry }) => [entry.action, entry.actor]),
          ['keys_rolled_over', 'client_registered'].map((action) => [
            action,
            { kind: 'operator_token', fingerprint, name },
          ]),
        )
      }
      const path = '/manage/v1/audit?actor=master'
      const { rows } = (await prepared(world, 'management', 'GET', path)).json as unknown as Listed
      const ofMaster = rows.map(({ entry }) => entry)
      for (const action of ['operator_token_issued', 'operator_token_revoked'])
        assert.ok(ofMaster.some((entry) => entry.action === action))
      assert.ok(ofMaster.every(({ actor }) => actor.kind === 'master' && actor.fingerprint !== ''))
      const { output } = await run(['audit', 'list', '--actor', name, '--data-dir', dataDir])
      assert.is(output.split(`by the operator token ${fingerprint} (${name}), through `).length, 3)
      assert.is((await run(['audit', 'verify', '--data-dir', dataDir])).status, 0)
    } finally {
      await world.service.stop()
      rmSync(dataDir, { recursive: true })
    }
  },
)

Names.run()
