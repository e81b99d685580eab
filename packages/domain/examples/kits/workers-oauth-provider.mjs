// A Worker with @cloudflare/workers-oauth-provider, whose registration endpoint goes by the rules.
import { checkClientMetadata } from '@clientele/domain/plain'
import { OAuthProvider } from '@cloudflare/workers-oauth-provider'

/** A client that this leaves undefined is registered. */
export const judgedByRules = ({ clientMetadata }) => {
  const checked = checkClientMetadata(clientMetadata, { lenient: true })
  if (checked.ok) return undefined
  const [{ code, text }] = checked.faults
  return { code, description: text, status: code === 'server_error' ? 500 : 400 }
}

const answer = (text) => ({ fetch: () => Promise.resolve(new Response(text)) })

export default new OAuthProvider({
  resourceMetadata: { resource: 'https://mcp.example/api/' },
  apiRoute: '/api/',
  apiHandler: answer('what is protected'),
  defaultHandler: answer('the rest of the Worker'),
  authorizeEndpoint: '/authorize',
  tokenEndpoint: '/token',
  clientRegistrationEndpoint: '/register',
  clientRegistrationCallback: judgedByRules,
})
