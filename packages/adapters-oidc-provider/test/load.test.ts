import type { KnownClient, RegisteredClient } from '@clientele/domain'
import { registeredClient } from '@clientele/testing'
import * as fc from 'fast-check'
import { Provider } from 'oidc-provider'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { grantTypes } from '../src/abilities.js'
import { loadClient } from '../src/clients/find-client.js'
import { isServed } from '../src/clients/handed-client.js'
import { configurationOf } from '../src/configuration.js'
import { ports, settings } from './support/engine-ports.js'

const loading = suite('the clients of the registry in the engine')

const { signingAlgorithms } = settings
const known = (client: RegisteredClient): KnownClient => ({ kind: 'registered', client })
const provider = new Provider(settings.issuer, configurationOf(settings, ports()))

loading('whatever is registered can be loaded', () => {
  fc.assert(
    fc.property(registeredClient(), (registered) => {
      const client = loadClient(provider, signingAlgorithms, known(registered))
      assert.is(client.clientId, registered.client_id)
      assert.equal(client.redirectUris, registered.metadata.redirect_uris ?? [])
    }),
  )
})

loading('a client has no grant that it did not register, and none where its metadata asks for what is not done', () => {
  fc.assert(
    fc.property(registeredClient(), (registered) => {
      const { metadata } = registered
      const { grantTypes: loaded = [], responseTypes = [] } = loadClient(provider, signingAlgorithms, known(registered))
      for (const each of loaded) {
        assert.ok(grantTypes.some((known) => known === each))
        assert.ok(metadata.grant_types.includes(each) || each === 'implicit' || each === 'authorization_code', each)
      }
      if (!isServed(metadata)) assert.equal([...loaded, ...responseTypes], [])
    }),
  )
})

loading('a client authenticates by the registered method only', () => {
  fc.assert(
    fc.property(registeredClient(), (registered) => {
      const { clientAuthMethod } = loadClient(provider, signingAlgorithms, known(registered))
      assert.is(clientAuthMethod, registered.metadata.token_endpoint_auth_method)
    }),
  )
})

loading.run()
