// A server of the Model Context Protocol that accepts access tokens of Clientele for itself only:
// it verifies them by introspection (RFC 7662), so that they end with the client or the sign-in that they belong to.
//   node packages/app/examples/mcp-server.mjs
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import * as oidc from 'openid-client'

const { ISSUER = 'http://127.0.0.1:8080', PORT = '3001', TOKEN_FILE = 'data/master-token' } = process.env
const neededScope = 'tools'
const resource = `http://127.0.0.1:${PORT}/mcp`
const metadata = { resource, authorization_servers: [ISSUER], scopes_supported: [neededScope] }
const metadataUrl = `http://127.0.0.1:${PORT}/.well-known/oauth-protected-resource/mcp`

// The server is a client, too: it needs credentials to ask the issuer about tokens.
const registered = await fetch(`${ISSUER}/clients`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${readFileSync(TOKEN_FILE, 'utf8').trim()}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ client_name: 'MCP server', grant_types: ['client_credentials'], response_types: [] }),
})
if (!registered.ok) throw new Error(`the registration was refused: ${await registered.text()}`)
const { client_id, client_secret } = await registered.json()
const execute = [oidc.allowInsecureRequests]
const issuer = await oidc.discovery(new URL(ISSUER), client_id, client_secret, undefined, { execute })

const answer = async (request, response, caller) => {
  const server = new McpServer({ name: 'example', version: '1.0.0' })
  const content = [{ type: /** @type {const} */ ('text'), text: caller }]
  server.registerTool('whoami', { description: 'Names the end-user, or else the client' }, () => ({ content }))
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  await transport.handleRequest(request, response)
}

// RFC 6750 §3, RFC 9728 §5.1: the client learns where to get a token, and for which scope.
const refuse = (response, status, error = '') => {
  const challenge = `Bearer ${error}resource_metadata="${metadataUrl}", scope="${neededScope}"`
  response.writeHead(status, { 'WWW-Authenticate': challenge }).end()
}

const protect = async (request, response) => {
  // Clients in a page, such as MCP Inspector, read the answers, too.
  response.setHeader('Access-Control-Allow-Origin', '*').setHeader('Access-Control-Expose-Headers', '*')
  response.setHeader('Access-Control-Allow-Headers', '*, Authorization')
  if (request.method === 'OPTIONS') return response.writeHead(204).end()
  if (request.url === new URL(metadataUrl).pathname)
    return response.setHeader('Content-Type', 'application/json').end(JSON.stringify(metadata))
  if (request.url !== '/mcp') return response.writeHead(404).end()
  const [, token] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined) return refuse(response, 401)
  const { active, aud, scope = '', sub, client_id: client } = await oidc.tokenIntrospection(issuer, token)
  if (!active || aud !== resource) return refuse(response, 401, 'error="invalid_token", ')
  if (!scope.split(' ').includes(neededScope)) return refuse(response, 403, 'error="insufficient_scope", ')
  // A token by client credentials has no end-user.
  return answer(request, response, sub ?? client)
}

const server = createServer((request, response) => protect(request, response).catch(() => response.destroy()))
server.listen(Number(PORT), '127.0.0.1', () => console.log(`MCP server at ${resource}`))
