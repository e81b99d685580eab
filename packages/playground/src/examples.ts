import { type ServedSettings, defaultSettings } from './served-settings.js'
import type { State } from './state.js'

export type Example = { readonly name: string; readonly state: Omit<State, 'baseUrl'> }

const asJson = (value: unknown): string => JSON.stringify(value, null, 2)

const webClient: Example = {
  name: 'Web client',
  state: {
    mode: 'managed',
    openScope: '',
    ticked: ['client-reg:grant:code', 'client-reg:grant:refresh'],
    scopeValues: 'openid profile',
    body: asJson({
      client_name: 'Nordlicht Shop',
      'client_name#de': 'Nordlicht-Laden',
      redirect_uris: ['https://shop.nordlicht.example/callback'],
      post_logout_redirect_uris: ['https://shop.nordlicht.example/'],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid profile',
    }),
    url: '',
  },
}

const nativeApp: Example = {
  name: 'Native app',
  state: {
    mode: 'open',
    openScope: 'openid',
    ticked: [],
    scopeValues: '',
    body: asJson({
      application_type: 'native',
      client_name: 'Nordlicht Pocket',
      redirect_uris: ['example.nordlicht.pocket:/callback', 'http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
      scope: 'openid',
    }),
    url: '',
  },
}

const sevenFaults: Example = {
  name: 'Seven faults',
  state: {
    mode: 'managed',
    openScope: '',
    ticked: ['client-reg'],
    scopeValues: '',
    body: asJson({
      client_name: 'Nordlicht Shop',
      redirect_uris: ['https://shop.nordlicht.example/callback#here', 'https://*.nordlicht.example/callback'],
      logo_uri: 'logo.png',
      contacts: 'ops@nordlicht.example',
      default_max_age: '3600',
      subject_type: 'private',
      id_token_signed_response_alg: 'RS265',
    }),
    url: '',
  },
}

const insufficientScope: Example = {
  name: 'Insufficient scope',
  state: {
    mode: 'managed',
    openScope: '',
    ticked: ['client-reg:grant:code'],
    scopeValues: '',
    body: asJson({
      client_name: 'Nordlicht Reports',
      redirect_uris: ['https://reports.nordlicht.example/callback'],
      grant_types: ['authorization_code', 'client_credentials'],
      scope: 'openid reports',
      data: { team: 'reports' },
    }),
    url: '',
  },
}

const documentUrl = 'https://assistant.nordlicht.example/client.json'

const documentByUrl: Example = {
  name: 'Document by URL',
  state: {
    mode: 'open',
    openScope: 'openid',
    ticked: [],
    scopeValues: '',
    body: asJson({
      client_id: documentUrl,
      client_name: 'Nordlicht Assistant',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid profile',
      homepage: 'https://assistant.nordlicht.example/',
    }),
    url: documentUrl,
  },
}

export const examples: ReadonlyArray<Example> = [webClient, nativeApp, sevenFaults, insufficientScope, documentByUrl]

/** The initial state of the page: the registration mode of the service that serves it. */
export const firstState = (baseUrl: string, { mode }: ServedSettings = defaultSettings): State => ({
  ...webClient.state,
  mode: mode.kind,
  openScope: mode.kind === 'open' ? mode.scope.join(' ') : '',
  baseUrl,
})
