import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withstand } from '../support/metadata/attack.js'
import { keyAttacks } from '../support/metadata/key-attacks.js'
import { memberAttacks } from '../support/metadata/member-attacks.js'
import { redirectUriAttacks } from '../support/metadata/redirect-uri-attacks.js'
import { allClients } from '../support/metadata/refusals.js'
import { uriAttacks } from '../support/metadata/uri-attacks.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const attacks = suite<{ service: Service }>('attacks on client metadata')

attacks.before(async (context) => {
  context.service = await startService({ CLIENTELE_LOG_LEVEL: 'trace' })
})
attacks.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

const rows = [...redirectUriAttacks, ...uriAttacks, ...keyAttacks, ...memberAttacks]

for (const attack of rows)
  attacks(`row ${attack.row}: 400, ${attack.reported.join(', ')}`, async ({ service }) => {
    await withstand(service, attack)
  })

attacks('no refused body has made a client', async ({ service }) => {
  const clients: ReadonlyArray<unknown> = JSON.parse(await allClients(service))
  // Two of each row, for a registration access token and an initial access token.
  assert.is(clients.length, 2 * rows.length)
})

attacks.run()
