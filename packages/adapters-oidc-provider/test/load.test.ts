import { epochSeconds } from '@clientele/domain/kernel'
import type { KnownClient } from '@clientele/domain/provider'
import type { RegisteredClient } from '@clientele/domain/registration'
import { anyClientId, exampleClient, exampleHash, registeredClient } from '@clientele/testing'
import * as fc from 'fast-check'
import { Provider } from 'oidc-provider'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { grantTypes } from '../src/abilities.js'
import { isServed, loadClient } from '../src/clients.js'
import { configurationOf } from '../src/configuration.js'
import { keepClientsApart } from '../src/sessions.js'
import { ports, settings } from './support/engine-ports.js'

const loading = suite('the clients of the registry in the engine')

const known = (client: RegisteredClient): KnownClient => ({ kind: 'registered', client })
const provider = new Provider(settings.issuer, configurationOf(settings, ports()))
const implicit = { ...settings, offersImplicitTokens: true }
const offering = new Provider(settings.issuer, configurationOf(implicit, ports()))

loading('whatever is registered can be loaded', () => {
  fc.assert(
    fc.property(registeredClient(), (registered) => {
      const client = loadClient(provider, settings, known(registered), [])
      assert.is(client.clientId, registered.client_id)
      assert.equal(client.redirectUris, registered.metadata.redirect_uris ?? [])
    }),
  )
})

loading('a client has no grant that it did not register, and none where its metadata asks for what is not done', () => {
  fc.assert(
    fc.property(registeredClient(), (registered) => {
      const { metadata } = registered
      const { grantTypes: loaded = [], responseTypes = [] } = loadClient(provider, settings, known(registered), [])
      for (const each of loaded) {
        assert.ok(grantTypes.some((known) => known === each))
        assert.ok(metadata.grant_types.includes(each) || each === 'implicit' || each === 'authorization_code', each)
      }
      if (!isServed(metadata)) assert.equal([...loaded, ...responseTypes], [])
    }),
  )
})

loading('an access token in the authorization response is offered by the setting alone, and never unbound', () => {
  fc.assert(
    fc.property(registeredClient(), fc.boolean(), (registered, dpop_bound_access_tokens) => {
      const response_types = ['id_token', 'id_token token']
      const metadata = { ...registered.metadata, response_types, dpop_bound_access_tokens }
      const client = known({ ...registered, metadata })
      const expected = isServed(metadata) && !dpop_bound_access_tokens
      assert.is(loadClient(offering, implicit, client, []).responseTypeAllowed('id_token token'), expected)
      assert.not.ok(loadClient(provider, settings, client, []).responseTypeAllowed('id_token token'))
    }),
  )
})

loading('a client authenticates by the registered method only', () => {
  fc.assert(
    fc.property(registeredClient(), (registered) => {
      const { clientAuthMethod } = loadClient(provider, settings, known(registered), [])
      assert.is(clientAuthMethod, registered.metadata.token_endpoint_auth_method)
    }),
  )
})

loading('a session keeps what it has for any two clients apart, also once it was stored', () => {
  keepClientsApart(provider, { hashToken: exampleHash })
  const id = fc.oneof(anyClientId(), fc.string({ unit: 'binary' }))
  // The declared type of the class has no constructor with a payload.
  const Session = provider.Session as unknown as new (payload: unknown) => InstanceType<typeof provider.Session>
  const stored = (session: object) => new Session(JSON.parse(JSON.stringify(session)))
  fc.assert(
    fc.property(id, id, (one, other) => {
      fc.pre(one !== other)
      const session = new Session({})
      session.sidFor(one, 'sid of one')
      const again = stored(session)
      again.grantIdFor(other, 'grant of other')
      const both = stored(again)
      assert.equal([both.sidFor(one), both.grantIdFor(one)], ['sid of one', undefined])
      assert.equal([both.sidFor(other), both.grantIdFor(other)], [undefined, 'grant of other'])
      assert.is(new Session({}).sidFor(other), undefined)
      assert.equal(Object.keys(Object.prototype), [])
    }),
  )
})

loading('by the newest of two secrets the engine signs, and by both it verifies and decrypts', () => {
  const newest = 'n'.repeat(64)
  const preceding = 'p'.repeat(64)
  const { metadata, ...others } = exampleClient('a')
  const secret = { client_secret: newest, client_secret_expires_at: epochSeconds(0) }
  const client = known({ ...others, secret, metadata: { ...metadata, id_token_signed_response_alg: 'HS256' } })
  const keysBy = (...secrets: ReadonlyArray<string>) => {
    const store: unknown = Reflect.get(loadClient(provider, settings, client, secrets), 'symmetricKeyStore')
    return store as Iterable<object> & { readonly selectForSign: (by: object) => ReadonlyArray<{ readonly k: string }> }
  }
  const keys = keysBy(newest, preceding)
  assert.equal(
    keys.selectForSign({ alg: 'HS256', use: 'sig' }).map(({ k }) => k),
    [newest, preceding].map((text) => Buffer.from(text).toString('base64url')),
  )
  assert.is([...keys].length, 2 * [...keysBy(newest)].length)
})

loading.run()
