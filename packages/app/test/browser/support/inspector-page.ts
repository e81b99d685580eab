// The page of MCP Inspector 1 in its direct mode: client/src/lib/auth.ts, oauth-state-machine.ts and oauth/direct-provider.ts of
// github.com/modelcontextprotocol/inspector call these functions of the SDK, in this order, with these arguments. With the URL of a
// document it does not register: the function auth of the SDK takes the URL as client_id where the metadata say so.
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

const script = `
import * as auth from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const tell = (promise) => promise.then((value) => { window.outcome = { value } }, (error) => { window.outcome = { error: String(error) } })

const discover = async (serverUrl) => {
  const resourceMetadata = await auth.discoverOAuthProtectedResourceMetadata(serverUrl)
  const metadata = await auth.discoverAuthorizationServerMetadata(new URL(resourceMetadata.authorization_servers[0]))
  const resource = await auth.selectResourceURL(serverUrl, {}, resourceMetadata)
  const atServer = await auth.discoverAuthorizationServerMetadata(new URL('/', serverUrl))
  const scopes = resourceMetadata.scopes_supported?.length > 0 ? resourceMetadata.scopes_supported : atServer?.scopes_supported
  return { metadata, resource, scope: scopes?.join(' ') }
}

const identify = (serverUrl, metadata, clientMetadata, clientMetadataUrl) =>
  clientMetadataUrl && metadata.client_id_metadata_document_supported === true
    ? { client_id: clientMetadataUrl }
    : auth.registerClient(serverUrl, { metadata, clientMetadata })

window.connect = async (serverUrl, body, redirectUrl, clientMetadataUrl) => {
  const { metadata, resource, scope } = await discover(serverUrl)
  const clientMetadata = scope ? { ...body, scope } : body
  const clientInformation = await identify(serverUrl, metadata, clientMetadata, clientMetadataUrl)
  const state = crypto.randomUUID()
  const request = { metadata, clientInformation, redirectUrl, scope: scope ?? '', state, resource }
  const { authorizationUrl, codeVerifier } = await auth.startAuthorization(metadata.issuer, request)
  sessionStorage.setItem('flow', JSON.stringify({ serverUrl, metadata, clientInformation, codeVerifier, redirectUrl, resource }))
  location.href = authorizationUrl.href
}

const callTool = async (serverUrl, token) => {
  const client = new Client({ name: 'inspector', version: '1.0.0' })
  const requestInit = { headers: { Authorization: 'Bearer ' + token } }
  await client.connect(new StreamableHTTPClientTransport(new URL(serverUrl), { requestInit }))
  const { content } = await client.callTool({ name: 'whoami' })
  return content[0].text
}

const complete = async (authorizationCode) => {
  const { serverUrl, redirectUrl, resource, ...flow } = JSON.parse(sessionStorage.getItem('flow'))
  const tokens = await auth.exchangeAuthorization(flow.metadata.issuer, {
    ...flow, authorizationCode, redirectUri: redirectUrl, resource: new URL(resource),
  })
  const refreshed = await fetch(flow.metadata.token_endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '', client_id: flow.clientInformation.client_id }),
  })
  const answer = await refreshed.json()
  return { sub: await callTool(serverUrl, tokens.access_token), refreshed: refreshed.status, again: await callTool(serverUrl, answer.access_token ?? tokens.access_token) }
}

const code = new URL(location.href).searchParams.get('code')
if (code !== null) tell(complete(code))
`

const app = fileURLToPath(new URL('../../..', import.meta.url))

/** The page at every address of the inspector. */
export const inspectorPage = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: app, loader: 'js' },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    logLevel: 'error',
  })
  const [bundled] = outputFiles
  // The end of a script element in a text of the bundle would end it.
  const text = String(bundled?.text).replaceAll('</script', '<\\/script')
  return `<!doctype html><meta charset="utf-8"><title>Inspector</title><link rel="icon" href="data:,"><script>${text}</script>`
}
