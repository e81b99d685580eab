// The clients store of the MCP SDK's authorization server: what its registration endpoint takes is decided here.
import { decideRegistration } from '@clientele/domain/plain'
import { CustomOAuthError, ServerError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { randomBytes, randomUUID } from 'node:crypto'

/**
 * Anybody may register a client, for what open registration permits. Clients that send `scope` are refused unless the setting
 * openRegistrationScopes has what they ask for: set it.
 * @param {import('@clientele/domain/plain').Settings} [settings]
 * @returns {import('@modelcontextprotocol/sdk/server/auth/clients.js').OAuthRegisteredClientsStore}
 */
export const createClientsStore = (settings) => {
  /** @type {Map<string, any>} */
  const clients = new Map()
  return {
    getClient: (id) => clients.get(id),
    registerClient: (sent) => {
      const issued = {
        client_id: randomUUID(),
        client_secret: sent.client_secret ?? randomBytes(32).toString('base64url'),
        at: Math.floor(Date.now() / 1000),
      }
      // What the SDK has added to the metadata, such as client_secret, is no member, and left out.
      const decided = decideRegistration({ body: sent, issued }, { allowOpenRegistration: true, ...settings })
      if (!decided.ok) {
        const [{ code, text }] = decided.faults
        if (code === 'server_error') throw new ServerError(text)
        // This endpoint reads no token, which the text advises to send.
        const scope = settings?.openRegistrationScopes
        const most = scope === undefined ? 'leave scope out' : `ask for no more scope than ${scope}`
        const beyond = `this is beyond open registration: ${most}, send no data, and ask for the grant types authorization_code and refresh_token alone`
        throw code === 'missing_token'
          ? new CustomOAuthError('invalid_client_metadata', beyond)
          : new CustomOAuthError(code, text)
      }
      clients.set(issued.client_id, decided.client)
      return clients.get(issued.client_id)
    },
  }
}
