import { registerClient } from '@modelcontextprotocol/sdk/client/auth.js'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { issueToken, redirect_uris, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const interoperability = suite<{ service: Service; specified: Service }>('interoperability with real clients')

interoperability.before(async (context) => {
  const open = { CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true' }
  context.service = await startService({ ...open, CLIENTELE_REGISTRATION_STATUS: '201' })
  context.specified = await startService(open)
})
interoperability.after(async ({ service, specified }) => {
  for (const each of [service, specified]) {
    await each.stop()
    discard(each.dataDir)
  }
})

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const readAndDelete = async (service: Service, client: Readonly<Record<string, unknown>>): Promise<void> => {
  const path = text(client['registration_client_uri'])
  const token = text(client['registration_access_token'])
  const read = await send(service, path, { token })
  assert.is(read.status, 200)
  assert.is(read.json['client_id'], client['client_id'])
  assert.is((await send(service, path, { method: 'DELETE', token })).status, 204)
  assert.is((await send(service, path, { token })).status, 401)
}

interoperability(
  'openid-client 6 discovers, registers with an initial access token, reads and deletes',
  async ({ service }) => {
    const configuration = await openid.dynamicClientRegistration(
      new URL(service.base),
      { redirect_uris, client_name: 'openid-client' },
      undefined,
      {
        initialAccessToken: await issueToken(service, 'client-reg:grant:code'),
        execute: [openid.allowInsecureRequests],
      },
    )
    const client = configuration.clientMetadata()
    assert.type(client['client_secret'], 'string')
    const path = text(client['registration_client_uri'])
    const token = text(client['registration_access_token'])
    const read = await openid.fetchProtectedResource(configuration, token, new URL(path), 'GET')
    assert.is(read.status, 200)
    const removed = await openid.fetchProtectedResource(configuration, token, new URL(path), 'DELETE')
    assert.is(removed.status, 204)
  },
)

interoperability('oauth4webapi discovers, registers, reads and deletes', async ({ service }) => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const issuer = new URL(service.base)
  for (const algorithm of ['oidc', 'oauth2'] as const) {
    const discovered = await oauth.discoveryRequest(issuer, { algorithm, ...insecure })
    const server = await oauth.processDiscoveryResponse(issuer, discovered)
    const answer = await oauth.dynamicClientRegistrationRequest(server, { redirect_uris }, insecure)
    await readAndDelete(service, await oauth.processDynamicClientRegistrationResponse(answer))
  }
})

interoperability('oauth4webapi reads the refusals: faults as JSON, challenges as challenges', async ({ service }) => {
  const server = { issuer: service.base, registration_endpoint: `${service.base}/clients` }
  const attempt = async (metadata: Partial<oauth.Client>, initialAccessToken?: string): Promise<unknown> => {
    const options = { [oauth.allowInsecureRequests]: true, ...(initialAccessToken && { initialAccessToken }) }
    const answer = await oauth.dynamicClientRegistrationRequest(server, metadata, options)
    return oauth.processDynamicClientRegistrationResponse(answer).then(
      () => undefined,
      (error: unknown) => error,
    )
  }
  const invalid = await attempt({ redirect_uris: ['https://rp.example/#x'] })
  assert.instance(invalid, oauth.ResponseBodyError)
  assert.is(invalid instanceof oauth.ResponseBodyError && invalid.error, 'invalid_redirect_uri')
  const challenged = await attempt({ redirect_uris }, 'junk')
  assert.instance(challenged, oauth.WWWAuthenticateChallengeError)
  const [challenge] = challenged instanceof oauth.WWWAuthenticateChallengeError ? challenged.cause : []
  assert.is(challenge?.parameters.error, 'invalid_token')
})

for (const kind of ['service', 'specified'] as const)
  interoperability(
    `the MCP SDK registers, reads and deletes with status ${kind === 'service' ? '201' : '200'}`,
    async (context) => {
      const service = context[kind]
      const registration_endpoint = `${service.base}/clients`
      const client = await registerClient(service.base, {
        metadata: {
          issuer: service.base,
          registration_endpoint,
          authorization_endpoint: `${service.base}/authorize`,
          token_endpoint: `${service.base}/token`,
          response_types_supported: ['code'],
        },
        clientMetadata: {
          redirect_uris: ['http://127.0.0.1:7777/callback'],
          client_name: 'MCP',
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        },
      })
      assert.is(client.client_secret, undefined)
      const { json } = await send(service, `/clients/${client.client_id}`, { token: service.master })
      await readAndDelete(service, json)
    },
  )

interoperability.run()
