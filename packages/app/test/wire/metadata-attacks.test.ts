import { suite } from 'uvu'
import { withstand } from '../support/metadata/attack.js'
import { keyAttacks } from '../support/metadata/key-attacks.js'
import { memberAttacks } from '../support/metadata/member-attacks.js'
import { redirectUriAttacks } from '../support/metadata/redirect-uri-attacks.js'
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

for (const attack of [...redirectUriAttacks, ...uriAttacks, ...keyAttacks, ...memberAttacks])
  attacks(`row ${attack.row}: 400, ${attack.reported.join(', ')}`, async ({ service }) => {
    await withstand(service, attack)
  })

attacks.run()
