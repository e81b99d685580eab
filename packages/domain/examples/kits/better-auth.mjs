// Better Auth with its OAuth provider, whose registration endpoint goes by the rules.
import { oauthProvider } from '@better-auth/oauth-provider'
import { checkClientMetadata } from '@clientele/domain/plain'
import { betterAuth } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { jwt } from 'better-auth/plugins'

/** The hook before each request. */
export const judgedByRules = createAuthMiddleware(async ({ path, body }) => {
  if (path !== '/oauth2/register') return
  const checked = checkClientMetadata(body, { lenient: true })
  if (checked.ok) return
  const [{ code, text }] = checked.faults
  throw new APIError(code === 'server_error' ? 'INTERNAL_SERVER_ERROR' : 'BAD_REQUEST', {
    error: code,
    error_description: text,
  })
})

/** @param {Pick<import('better-auth').BetterAuthOptions, 'baseURL' | 'secret' | 'database'>} options */
export const createAuth = (options) =>
  betterAuth({
    ...options,
    hooks: { before: judgedByRules },
    plugins: [
      jwt(),
      oauthProvider({
        loginPage: '/login',
        consentPage: '/consent',
        allowDynamicClientRegistration: true,
        allowUnauthenticatedClientRegistration: true,
      }),
    ],
  })
