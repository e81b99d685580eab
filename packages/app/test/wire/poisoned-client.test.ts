// Registrations of the maximum size or larger, by any registrant: every registered client can be read, listed and
// removed, and does not count against a limit for ever.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationOf, redirect_uris, registerOpenly, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'

const poisoned = suite<{ service: Service; folder: string }>('a poisoned client')

poisoned.before(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'clientele-policy-'))
  const policy = join(context.folder, 'policy.json')
  writeFileSync(policy, JSON.stringify({ maximum_unused_open_clients: 5 }))
  context.service = await startService({
    CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true',
    CLIENTELE_REGISTRATION_POLICY: policy,
  })
})
poisoned.after(async ({ service, folder }) => {
  await service.stop()
  discard(service.dataDir)
  rmSync(folder, { recursive: true })
})

const keySet = (zeros: number): object => ({ keys: [{ kty: 'X', x: Array.from({ length: zeros }, () => 0) }] })

poisoned('a key set of more than 16384 bytes is refused, with the remedy', async ({ service }) => {
  for (const zeros of [8_200, 12_000, 19_900]) {
    const { status, json } = await registerOpenly(service, { redirect_uris, jwks: keySet(zeros) })
    assert.equal([status, json['error']], [400, 'invalid_client_metadata'])
    assert.match(String(json['error_description']), '16384 bytes')
  }
})

poisoned(
  'the largest clients of open registration are registered, read, updated, listed and removed',
  async ({ service }) => {
    const sizes = [8_100, 8_120, 8_140, 8_160, 8_170]
    const answers = await Promise.all(
      sizes.map((zeros) => registerOpenly(service, { redirect_uris, jwks: keySet(zeros) })),
    )
    assert.equal(
      answers.map(({ status }) => status),
      sizes.map(() => 200),
    )
    const clients = answers.map(configurationOf)
    for (const { path, token } of clients) {
      assert.is((await send(service, path, { token })).status, 200)
      assert.is((await send(service, path, { token: service.master })).status, 200)
      assert.is((await send(service, path, { token: 'junk' })).status, 401)
    }
    assert.is((await registerOpenly(service, { redirect_uris })).status, 403, 'the cap of unused clients is reached')
    const list = await send(service, '/clients', { token: service.master })
    assert.is(JSON.parse(list.text).length, clients.length)
    for (const { path } of clients)
      assert.is((await send(service, path, { method: 'DELETE', token: service.master })).status, 204)
    assert.is((await registerOpenly(service, { redirect_uris })).status, 200, 'there is room again')
  },
)

poisoned.run()
