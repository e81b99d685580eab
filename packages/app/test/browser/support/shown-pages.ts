import { createPageRenderer } from '@clientele/adapters-http'
import { epochSeconds } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { type Served, type Site, openSite } from './loopback-site.js'

// 24 by 24 pixels: a square with a notch
const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#b3261e" d="M2 2h20v20H12l-4-8-6 8z"/></svg>`

const created = createPageRenderer({
  service: {
    name: 'Nordlicht ID',
    logo: `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`,
    color: '#b3261e',
    url: 'https://id.nordlicht.example/',
  },
})
if (E.isLeft(created)) throw new Error(`${created.left.file} ${created.left.description}`)
const render = created.right

export type Page = Parameters<typeof render>[0]
export type Language = Parameters<typeof render>[1]
export type Application = { readonly name: string | undefined; readonly host: string }

export const languages: ReadonlyArray<Language> = ['en', 'de', 'fr', 'es', 'ja', 'ar']

export const form = { action: '/confirm', value: 'the-value' }

export const shop: Application = { name: 'Nordlicht Shop', host: 'shop.nordlicht.example' }
export const mail: Application = { name: 'Postfach', host: 'mail.nordlicht.example' }
const nameless: Application = { name: undefined, host: 'wiki.nordlicht.example' }

const alice = { name: 'Alice Nordmann', account: 'alice@nordlicht.example' }
const login = { kind: 'login', form, application: shop, attempt: 1, username: '', accounts: ['alice', 'bob'] } as const
const facts = {
  identity: { kind: 'claimed' },
  redirectHosts: [{ kind: 'web', host: shop.host }],
  warnings: [],
  changes: [],
  scope: ['openid', 'profile', 'email', 'offline_access'],
  resources: {},
} as const
const links = {
  policy: { uri: 'https://shop.nordlicht.example/privacy', host: 'shop.nordlicht.example' },
  terms: { uri: 'https://shop.nordlicht.example/terms', host: 'shop.nordlicht.example' },
}
const consent = { kind: 'consent', form, application: shop, user: alice, facts, links, logo: undefined } as const
const begun_at = epochSeconds(1_795_000_000_000)

const reference = [
  { text: 'RFC 6749 §3.1.2', uri: 'https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2' },
  { text: ', and others', uri: undefined },
]
const rule = { id: 'uri-fragment', uri: 'https://id.example/rules/uri-fragment' }

const signInPages: Readonly<Record<string, Page>> = {
  login: { ...login, refused: false },
  'login-refused': { ...login, attempt: 2, username: 'alice', refused: true },
  'choose-login': {
    kind: 'choose_login',
    form,
    application: shop,
    parties: [
      { name: 'Nordlicht-Konto', uri: '/interaction/one?with=staff' },
      { name: 'GitHub', uri: '/interaction/one?with=github' },
    ],
  },
  consent,
  'consent-verified': {
    ...consent,
    facts: { ...facts, identity: { kind: 'verified', host: 'directory.example' } },
  },
  'consent-warnings': {
    ...consent,
    application: { name: 'Pаypal Official', host: '127.0.0.1' },
    user: { name: undefined, account: 'alice' },
    facts: {
      ...facts,
      redirectHosts: [
        { kind: 'loopback', host: '127.0.0.1' },
        { kind: 'private_use', host: 'com.example.app:' },
        { kind: 'web', host: 'very-long-host-of-a-client.applications.nordlicht.example:8443' },
      ],
      warnings: [
        { kind: 'looks_like', name: 'PayPal' },
        { kind: 'claims_status', word: 'official' },
        { kind: 'mixed_scripts' },
        { kind: 'loopback_only' },
        { kind: 'private_use_scheme', scheme: 'com.example.app:' },
      ],
      changes: ['identity', 'name', 'redirect_hosts', 'keys', 'logo', 'scope', 'resources'],
      resources: { 'https://api.nordlicht.example/orders': ['orders:read', 'orders:write'] },
    },
  },
  consents: {
    kind: 'consents',
    user: alice,
    action: '/consents',
    consents: [
      {
        application: shop,
        scope: ['openid', 'email'],
        resources: { 'https://api.nordlicht.example/orders': ['orders:read'] },
        begun_at,
        last_use: begun_at,
        login: links.terms,
        value: 'the-value',
      },
      {
        application: nameless,
        scope: ['openid', 'orders:read'],
        resources: {},
        begun_at,
        last_use: undefined,
        login: undefined,
        value: 'another-value',
      },
    ],
    revoked: true,
  },
  'consents-none': { kind: 'consents', user: alice, action: '/consents', consents: [], revoked: false },
  'login-failed': { kind: 'login_failed', again: '/interaction/1' },
  'not-permitted': { kind: 'not_permitted', again: '/interaction/1?account=other' },
  'sign-in-misconfigured': { kind: 'sign_in_misconfigured' },
  'too-many-attempts': { kind: 'too_many_attempts', form },
  'interaction-gone': { kind: 'interaction_gone' },
  'request-error': {
    kind: 'request_error',
    error: 'invalid_request',
    description: 'redirect_uri did not match any of the registered redirect_uris of the client',
    back: { application: shop, uri: 'https://shop.nordlicht.example/' },
  },
  'application-suspended': {
    kind: 'application_suspended',
    error: 'invalid_client',
    description: 'The operator has suspended this client: ask the operator to resume it',
  },
  'application-pending': {
    kind: 'application_pending',
    error: 'access_denied',
    description:
      'This client waits for the approval of the operator: ask the operator to approve it, and do not register it again',
  },
  'application-refused': {
    kind: 'application_refused',
    error: 'access_denied',
    description: 'The operator has refused this client: ask the operator why, and do not register it again',
    reason: 'Its privacy policy says nothing about orders. Write to it@nordlicht.example',
  },
  'sign-in-unavailable': { kind: 'sign_in_unavailable', again: '/interaction/1' },
}

/** A page of each kind, in each of its variants. */
export const pages: Readonly<Record<string, Page>> = {
  dialog: {
    kind: 'dialog',
    form,
    back: shop,
    notice: undefined,
    applications: [shop, mail, nameless],
    more: 0,
    user: alice,
  },
  'dialog-many': { kind: 'dialog', form, back: mail, notice: undefined, applications: [shop, mail, nameless], more: 9 },
  'dialog-notice': { kind: 'dialog', form, back: undefined, notice: 'other_user', applications: [mail], more: 2 },
  nobody: { kind: 'nobody', form, back: shop, notice: undefined },
  'nobody-notice': { kind: 'nobody', form: undefined, back: undefined, notice: 'unregistered_uri' },
  'signed-out': { kind: 'signed_out', applications: [], more: 0, frames: [], back: undefined },
  'signed-out-frames': {
    kind: 'signed_out',
    applications: [shop, mail],
    more: 0,
    frames: [],
    back: { application: shop, uri: 'https://shop.nordlicht.example/after' },
  },
  'still-signed-in': { kind: 'still_signed_in' },
  gone: { kind: 'gone' },
  unavailable: { kind: 'unavailable' },
  'too-many-requests': { kind: 'too_many_requests' },
  home: {
    kind: 'home',
    issuer: 'https://id.example',
    metadata: 'https://id.example/.well-known/openid-configuration',
    keySet: 'https://id.example/jwks.json',
    endpoints: ['authorization', 'token', 'registration'].map((name) => ({
      name: `${name}_endpoint`,
      uri: `https://id.example/${name}`,
    })),
    reference: 'https://id.example/reference',
    rules: 'https://id.example/rules',
    playground: 'https://id.example/playground',
    console: '/console',
    consents: 'https://id.example/consents',
    logout: 'https://id.example/logout',
  },
  rules: {
    kind: 'rules',
    heading: 'Rules',
    places: ['redirect_uris', 'post_logout_redirect_uris'].map((name) => ({ name, rules: [rule, rule, rule] })),
    rules: [{ ...rule, text: 'must not have a fragment: leave out # and what follows', reference }],
  },
  rule: {
    kind: 'rule',
    heading: 'uri-fragment',
    description: 'an entry of redirect_uris must not have a fragment: leave out # and what follows',
    reason: 'The answer stands in the query or in the fragment: a registered fragment would be lost.',
    consequence:
      'If a registration breaks this rule, the service refuses it. If a metadata document breaks it (client metadata that you publish at the URL that is your client_id), the service refuses the document.',
    reference,
    members: ['redirect_uris', 'post_logout_redirect_uris'],
    request: 'POST /clients',
    given: 'The setting signing-algorithms is RS256.',
    policy: '{ "allowed_redirect_hosts": ["app.example"] }',
    bad: `{\n  "redirect_uris": ["https://app.example/${'callback'.repeat(20)}#start"]\n}`,
    good: `{\n  "redirect_uris": ["https://app.example/callback"]\n}`,
    all: 'https://id.example/rules',
  },
  reference: {
    kind: 'reference',
    heading: 'Reference',
    document: 'https://id.example/openapi.json',
    groups: [
      {
        name: 'Registration',
        operations: [
          {
            name: 'PATCH /manage/v1/clients/{id}',
            summary: 'Changes members of a client, which keeps its credentials (RFC 7396).',
            uri: 'https://id.example/reference/patch-manage-v1-clients-id',
          },
        ],
      },
    ],
  },
  operation: {
    kind: 'operation',
    heading: 'PATCH /manage/v1/clients/{id}',
    summary: 'Changes members of a client, which keeps its credentials (RFC 7396).',
    needs: ['The master token permits it, and an operator token with clients:write.'],
    request: `curl -X PATCH 'https://id.example/manage/v1/clients/{id}' -d '${'x'.repeat(300)}'`,
    parameters: [{ name: 'dry_run', text: 'true, for what would happen; false without it' }],
    answers: [{ status: 200, text: 'Done', sample: '{\n  "client_id": "..."\n}' }],
    refusals: [{ status: 412, text: 'The client is in another version than If-Match names' }],
    document: 'https://id.example/openapi.json',
    all: 'https://id.example/reference',
  },
  not_found: { kind: 'not_found' },
  'needs-token': { kind: 'needs_token' },
  'gone-again': { kind: 'gone', again: '/logout' },
  ...signInPages,
}

export const policyOf = (styleHash: string, frameOrigins: ReadonlyArray<string> = []): string =>
  [
    `default-src 'none'; style-src '${styleHash}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
    ...(frameOrigins.length > 0 ? [`frame-src ${frameOrigins.join(' ')}`] : []),
  ].join('; ')

export const served = (page: Page, language: Language, frameOrigins?: ReadonlyArray<string>): Served => {
  const { html, styleHash } = render(page, language)
  return { html, headers: { 'Content-Security-Policy': policyOf(styleHash, frameOrigins) } }
}

/** Serves the pages above as /<name>/<language>, and answers a form. */
export const openLogoutPages = (more: Readonly<Record<string, Page>> = {}): Promise<Site> =>
  openSite(({ path }) => {
    const [, name = '', wanted] = path.split('/')
    const page = { ...pages, ...more }[name]
    const language = languages.find((one) => one === wanted)
    return page === undefined || language === undefined ? { html: '<title>answered</title>' } : served(page, language)
  })
