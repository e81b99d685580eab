import { describeProvider } from '@clientele/domain'
import * as T from 'fp-ts/lib/Task.js'
import type { Handler } from '../http/handler.js'
import { publishedResponse, render } from '../http/published.js'
import { languages } from '../logout/messages/languages.js'
import type { HttpSettings } from '../settings.js'

/** OpenID Discovery §4, RFC 8414 §3: what never changes is rendered once. */
export const getProviderMetadata = ({ registration, keyPolicy, logout }: HttpSettings): Handler => {
  const endSession =
    logout.path === undefined
      ? undefined
      : {
          endpoint: `${registration.issuer}${logout.path}`,
          backchannel: logout.policy.backchannel,
          uiLocales: languages,
        }
  const rendered = render(
    describeProvider({ ...registration, jwksUri: `${registration.issuer}/jwks.json`, endSession }),
  )
  return (request) => T.of(publishedResponse(request, rendered, keyPolicy.maxAge))
}
