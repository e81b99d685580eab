import type { Service } from '@clientele/adapters-http'
import type { ConsentPolicy } from '@clientele/domain/provider'
import type { Config } from '../config/settings.js'
import { pathOf } from '../config/values/base-url.js'

/** Whose pages these are. */
export const serviceOf = (config: Config): Service => {
  const baseUrl = config['base-url']
  return {
    name: config['service-name'] ?? (baseUrl === undefined ? 'localhost' : new URL(baseUrl).host),
    logo: config['service-logo'],
    color: config['service-color'],
    url: config['service-url'] ?? `${baseUrl === undefined ? '' : pathOf(baseUrl)}/`,
  }
}

export const consentPolicy = (config: Config): ConsentPolicy => ({
  protectedNames: config['protected-names'],
  firstPartyClients: config['first-party-clients'],
})
