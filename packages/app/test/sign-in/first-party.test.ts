// Applications of the operator, and those that took the client_id of one.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { send } from '../support/requests.js'
import { signIn } from './support/journey.js'
import { openidClient6 } from './support/openid-client-6.js'
import { type Provider, startProvider } from './support/provider.js'

const firstParty = suite<{ provider: Provider }>('applications of the operator')

const portal = { preferred_client_id: 'portal' }

firstParty.before(async (context) => {
  context.provider = await startProvider({ CLIENTELE_FIRST_PARTY_CLIENTS: portal.preferred_client_id })
})
firstParty.after(({ provider }) => provider.stop())

firstParty('no page is left out for a registrant with a token who presets the client_id', async ({ provider }) => {
  const { service } = provider
  const ended = () => send(service, '/clients/portal', { method: 'DELETE', token: service.master })
  for (const [path, scope] of [
    ['/direct-authz', 'client-reg:set-id client-reg:grant:code client-reg:grant:refresh'],
    ['/operator-tokens', 'clients:write'],
  ] as const) {
    const { json } = await send(service, path, { method: 'POST', token: service.master, json: { scope } })
    const taken = await openidClient6(provider, String(json['access_token']), portal)
    await signIn(taken, provider.endUser(), ['login', 'consent'])
    assert.is((await ended()).status, 204)
  }
  await signIn(await openidClient6(provider, service.master, portal), provider.endUser(), ['login'])
})

firstParty.run()
