import { request } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { redirect_uris } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const attacks = suite<{ service: Service }>('attacks by odd hosts')

attacks.before(async (context) => {
  context.service = await startService()
})
attacks.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

const registerAt = (service: Service, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = {
      host,
      authorization: `Bearer ${service.master}`,
      'content-type': 'application/json',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
    }
    const sent = request(`${service.base}/clients`, { method: 'POST', headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += chunk.toString())).on('end', () => resolve(text))
    })
    sent.on('error', reject).end(JSON.stringify({ redirect_uris }))
  })

for (const host of ['evil.example', 'a"b', 'good/evil', '[::1', ''])
  attacks(`row 93 the Host '${host}' does not change registration_client_uri`, async ({ service }) => {
    const answer: unknown = JSON.parse(await registerAt(service, host))
    const members: ReadonlyMap<string, unknown> = new Map(Object.entries(Object(answer)))
    const id = String(members.get('client_id'))
    assert.is(members.get('registration_client_uri'), `${service.base}/clients/${id}`)
  })

attacks.run()
