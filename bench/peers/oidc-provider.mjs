// oidc-provider: registrations, updates and documents.
import { once } from 'node:events'
import { createServer } from 'node:http'
import Provider, { errors } from 'oidc-provider'
import { answerOf, attempt, json } from './answer.mjs'

const { Response } = globalThis

const enabled = [
  ...['backchannelLogout', 'claimsParameter', 'clientCredentials', 'deviceFlow', 'dPoP', 'encryption', 'introspection'],
  ...['jwtIntrospection', 'jwtResponseModes', 'jwtUserinfo', 'pushedAuthorizationRequests', 'registration'],
  ...['requestObjects', 'revocation', 'rpInitiatedLogout', 'rpMetadataChoices', 'userinfo'],
]

const redirect_uris = ['https://rp.example/callback']

const features = {
  ...Object.fromEntries(enabled.map((name) => [name, { enabled: true }])),
  devInteractions: { enabled: false },
  registrationManagement: { enabled: true, rotateRegistrationAccessToken: false },
  mTLS: {
    ...{ enabled: true, certificateBoundAccessTokens: true, tlsClientAuth: true, selfSignedTlsClientAuth: true },
    getCertificate: () => undefined,
    certificateAuthorized: () => false,
    certificateSubjectMatches: () => false,
  },
  clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
}

const clientAuthMethods = [
  ...['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'none'],
  ...['tls_client_auth', 'self_signed_tls_client_auth'],
]

export const start = async () => {
  const documents = new Map()
  // The document at a sector_identifier_uri lists what the body registers.
  let latest = {}
  const fetched = (url) => documents.get(String(url)) ?? [latest.redirect_uris, latest.jwks_uri].flat().filter(Boolean)
  const provider = new Provider('https://op.example', {
    ...{ features, clientAuthMethods, subjectTypes: ['public', 'pairwise'] },
    pairwiseIdentifier: () => 'pairwise',
    fetch: async (url) => new Response(JSON.stringify(fetched(url)), { headers: json }),
  })
  provider.proxy = true
  const server = createServer(provider.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}/reg`
  const send = async (to, method, body, headers = {}) => {
    latest = body
    return answerOf(await fetch(to, { method, headers: { ...json, ...headers }, body: JSON.stringify(body) }))
  }
  const { client_id, registration_access_token } = (await send(url, 'POST', { redirect_uris })).json
  const authorization = `Bearer ${registration_access_token}`
  const put = (body) => send(`${url}/${client_id}`, 'PUT', { client_id, ...body }, { authorization })
  const document = async (body) => {
    const id = `https://app.example/${documents.size}.json`
    latest = body
    documents.set(id, { client_id: id, ...body })
    const isRefusal = (thrown) => thrown instanceof errors.OIDCProviderError && thrown.status < 500
    return attempt(async () => (await provider.Client.find(id)).metadata(), isRefusal)
  }
  return {
    doors: [
      { name: 'POST', answer: (body) => send(url, 'POST', body) },
      { name: 'PUT', answer: put },
      { name: 'document', answer: document },
    ],
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
