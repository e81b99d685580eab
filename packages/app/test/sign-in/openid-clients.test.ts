// Clients in use, from discovery to dead tokens, on the process and through its pages.
import { suite } from 'uvu'
import { issueToken } from '../support/requests.js'
import { journey } from './support/journey.js'
import { oauth4webapi } from './support/oauth4webapi.js'
import { openidClient5 } from './support/openid-client-5.js'
import { openidClient6 } from './support/openid-client-6.js'
import { type Provider, startProvider } from './support/provider.js'

const clients = suite<{ provider: Provider }>('OpenID Connect clients at the authorization server')

clients.before(async (context) => {
  context.provider = await startProvider({ CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true' })
})
clients.after(({ provider }) => provider.stop())

clients('openid-client 6, registered with an initial access token', async ({ provider }) =>
  journey(provider, await openidClient6(provider, await issueToken(provider.service, 'client-reg'))),
)

clients('openid-client 6, registered openly, as a public client', async ({ provider }) =>
  journey(provider, await openidClient6(provider, undefined, { token_endpoint_auth_method: 'none' })),
)

for (const algorithm of ['oidc', 'oauth2'] as const)
  clients(`oauth4webapi, with the metadata of ${algorithm}`, async ({ provider }) =>
    journey(provider, await oauth4webapi(provider, algorithm)),
  )

clients('openid-client 5', async ({ provider }) =>
  journey(provider, await openidClient5(provider, await issueToken(provider.service, 'client-reg'))),
)

clients.run()
