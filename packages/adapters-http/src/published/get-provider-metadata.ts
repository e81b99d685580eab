import { describeProvider } from '@clientele/domain/operations'
import { languages } from '../pages/messages/languages.js'
import type { HttpSettings } from '../settings.js'
import { type PublishedHandler, publishing, render } from './published-response.js'

// RFC 8414 §3.1: the well-known part is inserted before the path of the issuer, also for openid-configuration (§5);
// OpenID Discovery §4 appends it
export const metadataPaths = (base: string): ReadonlyArray<string> => [
  ...new Set([
    `${base}/.well-known/openid-configuration`,
    `${base}/.well-known/oauth-authorization-server`,
    `/.well-known/oauth-authorization-server${base}`,
    `/.well-known/openid-configuration${base}`,
  ]),
]

/** OpenID Discovery §4, RFC 8414 §3: the metadata never changes and is rendered once. */
export const getProviderMetadata = ({ registration, keyPolicy, logout }: HttpSettings): PublishedHandler => {
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
  return publishing(rendered, keyPolicy.maxAge)
}
