import { type ServedSettings, defaultSettings } from './served-settings.js'
import type { State } from './state.js'

export type Example = { readonly name: string; readonly state: Omit<State, 'baseUrl'> }

/** Without what is said, nothing is permitted and no URL is given. */
const example = (
  name: string,
  mode: State['mode'],
  body: Readonly<Record<string, unknown>>,
  given: Partial<Example['state']>,
): Example => ({
  name,
  state: { mode, openScope: '', ticked: [], scopeValues: '', url: '', body: JSON.stringify(body, null, 2), ...given },
})

const webClient = example(
  'Web client',
  'managed',
  {
    client_name: 'Nordlicht Shop',
    'client_name#de': 'Nordlicht-Laden',
    redirect_uris: ['https://shop.nordlicht.example/callback'],
    post_logout_redirect_uris: ['https://shop.nordlicht.example/'],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'openid profile',
  },
  { ticked: ['client-reg:grant:code', 'client-reg:grant:refresh'], scopeValues: 'openid profile' },
)

const nativeApp = example(
  'Native app',
  'open',
  {
    application_type: 'native',
    client_name: 'Nordlicht Pocket',
    redirect_uris: ['example.nordlicht.pocket:/callback', 'http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
    scope: 'openid',
  },
  { openScope: 'openid' },
)

const sevenFaults = example(
  'Seven faults',
  'managed',
  {
    client_name: 'Nordlicht Shop',
    redirect_uris: ['https://shop.nordlicht.example/callback#here', 'https://*.nordlicht.example/callback'],
    logo_uri: 'logo.png',
    contacts: 'ops@nordlicht.example',
    default_max_age: '3600',
    subject_type: 'private',
    id_token_signed_response_alg: 'RS265',
  },
  { ticked: ['client-reg'] },
)

const insufficientScope = example(
  'Insufficient scope',
  'managed',
  {
    client_name: 'Nordlicht Reports',
    redirect_uris: ['https://reports.nordlicht.example/callback'],
    grant_types: ['authorization_code', 'client_credentials'],
    scope: 'openid reports',
    data: { team: 'reports' },
  },
  { ticked: ['client-reg:grant:code'] },
)

const documentUrl = 'https://assistant.nordlicht.example/client.json'

const documentByUrl = example(
  'Document by URL',
  'open',
  {
    client_id: documentUrl,
    client_name: 'Nordlicht Assistant',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'openid profile',
    homepage: 'https://assistant.nordlicht.example/',
  },
  { openScope: 'openid', url: documentUrl },
)

export const examples: ReadonlyArray<Example> = [webClient, nativeApp, sevenFaults, insufficientScope, documentByUrl]

/** The initial state of the page: the registration mode of the service that serves it. */
export const firstState = (baseUrl: string, { mode }: ServedSettings = defaultSettings): State => ({
  ...webClient.state,
  mode: mode.kind,
  openScope: mode.kind === 'open' ? mode.scope.join(' ') : '',
  baseUrl,
})
