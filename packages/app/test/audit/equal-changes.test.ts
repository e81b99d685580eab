// docs/decisions/audit-log.md: each change has one row, also where a proxy gives several requests one id.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { asks, open, redirect_uris, registered, rows } from './support/world.js'

const Equal = suite('equal changes')

Equal('updates under one X-Request-Id are all made, and have a row each', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'clientele-'))
  const world = await open(dataDir, { 'trusted-proxies': '127.0.0.1' })
  try {
    const client_id = String((await registered(world))['client_id'])
    const names = ['two', 'one', 'two', 'one', 'two']
    for (const client_name of names) {
      const headers = { 'X-Request-Id': 'the-id-of-a-proxy' }
      const json = { client_id, redirect_uris, client_name }
      const answer = await asks(world)('http', 'PUT', `/clients/${client_id}`, { token: world.master, headers, json })
      assert.equal([answer.status, answer.json['client_name']], [200, client_name], answer.text)
    }
    const left = (await rows(world)).filter(({ entry }) => entry.origin.request_id === 'the-id-of-a-proxy')
    assert.equal(
      left.map(({ entry }) => [entry.action, entry.members[0]]),
      names.map(() => ['client_updated', 'client_name']),
    )
    assert.not.ok(JSON.stringify(left).includes('nonce'))
  } finally {
    await world.service.stop()
    rmSync(dataDir, { recursive: true })
  }
})

Equal.run()
