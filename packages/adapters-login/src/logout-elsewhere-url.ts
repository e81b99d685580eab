// The logout at the OpenID provider that authenticated the end-user.
import type { LogoutElsewhere } from '@clientele/domain/provider'

const loopback = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * OpenID RP-Initiated Logout §2: the logout request at the provider that authenticated the end-user. None for an
 * endpoint that is neither an https URL nor an http URL on loopback.
 */
export const logoutElsewhereUrl = (
  { end_session_endpoint, client_id, id_token_hint }: LogoutElsewhere,
  postLogoutRedirectUri: string | undefined,
): string | undefined => {
  if (!URL.canParse(end_session_endpoint)) return undefined
  const url = new URL(end_session_endpoint)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.test(url.hostname))) return undefined
  url.searchParams.set('client_id', client_id)
  url.searchParams.set('id_token_hint', id_token_hint)
  if (postLogoutRedirectUri !== undefined) url.searchParams.set('post_logout_redirect_uri', postLogoutRedirectUri)
  return url.href
}
