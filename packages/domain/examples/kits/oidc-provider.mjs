// The client metadata of oidc-provider, judged by the rules wherever it makes a client: at registration, of its
// configuration and of its store.
import { checkClientMetadata } from '@clientele/domain/plain'
import { errors } from 'oidc-provider'

/**
 * new Provider(issuer, { extraClientMetadata: judgedByRules() }) tells a client the first fault. oidc-provider calls the validator once for each property that is listed, so that one is.
 * @param {import('@clientele/domain/plain').Settings} [settings]
 */
export const judgedByRules = (settings) => ({
  properties: ['software_id'],
  /**
   * @param {unknown} _ctx
   * @param {string} _key
   * @param {unknown} _value
   * @param {object} metadata
   */
  validator: (_ctx, _key, _value, metadata) => {
    const checked = checkClientMetadata({ ...metadata }, settings)
    if (checked.ok) return
    const [{ code, text }] = checked.faults
    throw new errors.CustomOIDCProviderError(code, text)
  },
})
