// A server of the Model Context Protocol, protected by access tokens of the provider (RFC 9728, RFC 9068).
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from './provider.js'

/** What is known of an access token; undefined for one that is not accepted. */
export type Verify = (token: string, resource: string) => Promise<Json | undefined>

export type ProtectedServer = {
  readonly url: URL
  /** What was known of the tokens with which it was reached. */
  readonly seen: Array<Json>
  /** From now on it accepts tokens of this authorization server. */
  readonly trust: (issuer: string, verify: Verify) => void
  readonly stop: () => Promise<void>
}

const answerTool = async (request: IncomingMessage, response: ServerResponse, sub: unknown): Promise<void> => {
  const server = new McpServer({ name: 'example', version: '1.0.0' })
  server.registerTool('whoami', { description: 'Names the end-user' }, () => ({
    content: [{ type: 'text', text: String(sub) }],
  }))
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.once('close', () => void server.close())
  await server.connect(transport)
  await transport.handleRequest(request, response)
}

export const startMcpServer = async (): Promise<ProtectedServer> => {
  const seen: Array<Json> = []
  const trusted: { issuer: string; verify: Verify } = { issuer: '', verify: () => Promise.resolve(undefined) }
  const metadata = '/.well-known/oauth-protected-resource/mcp'
  const answer = async (request: IncomingMessage, response: ServerResponse, origin: string): Promise<void> => {
    const resource = `${origin}/mcp`
    if (request.url === metadata) {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ resource, authorization_servers: [trusted.issuer] }))
      return
    }
    if (request.url !== '/mcp') return void response.writeHead(404).end()
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    const verified = token === '' ? undefined : await trusted.verify(token, resource)
    if (verified === undefined) {
      const challenge = `Bearer resource_metadata="${origin}${metadata}"`
      return void response.writeHead(401, { 'WWW-Authenticate': challenge }).end()
    }
    seen.push(verified)
    return answerTool(request, response, verified['sub'])
  }
  const server = createServer((request, response) => {
    void answer(request, response, `http://${String(request.headers.host)}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve).unref())
  const { port } = server.address() as AddressInfo
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const trust = (issuer: string, verify: Verify): void => void Object.assign(trusted, { issuer, verify })
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), seen, trust, stop }
}
