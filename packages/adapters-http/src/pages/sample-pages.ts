// Pages of every kind, with all values and with none, to check a theme.
import { epochSeconds } from '@clientele/domain/kernel'
import type { ShownApplication } from '@clientele/domain/logout'
import type { ShownPage } from './page.js'

/** A page, and the texts that its HTML must contain, so that it can be answered and applications are notified. */
export type SamplePage = { readonly page: ShownPage; readonly holds: ReadonlyArray<string> }

// The names show whether a template escapes them.
const shop: ShownApplication = { name: 'Sample <b>&" Shop', host: 'shop.example' }
const nameless: ShownApplication = { name: undefined, host: 'mail.example' }
const user = { name: 'Alice <b>', account: 'alice@op.example' }
const form = { action: '/interaction/sample', value: 'sample-value' }
const toAnswer = [form.action, form.value, 'name="answer"']
const login = { kind: 'login', form, application: shop, attempt: 1, username: '', refused: false } as const

const sampleSignInPages: ReadonlyArray<SamplePage> = [
  {
    page: { ...login, accounts: ['alice', 'bob<b>'] },
    holds: [...toAnswer, 'name="username"', 'name="password"', 'name="attempt"', 'value="cancel"', shop.host],
  },
  {
    page: { ...login, application: nameless, username: '"<b>', refused: true, accounts: [] },
    holds: [...toAnswer, 'name="username"', 'name="password"', nameless.host],
  },
  {
    page: {
      kind: 'choose_login',
      form,
      application: shop,
      parties: [
        { name: 'Staff <b>', uri: '/interaction/sample?with=staff' },
        { name: 'GitHub', uri: '/interaction/sample?with=github' },
      ],
    },
    holds: [...toAnswer, 'with=staff', 'with=github', 'value="cancel"', shop.host],
  },
  {
    page: {
      kind: 'consent',
      form,
      application: shop,
      user,
      facts: {
        identity: { kind: 'claimed' },
        redirectHosts: [
          { kind: 'web', host: shop.host },
          { kind: 'loopback', host: '127.0.0.1' },
        ],
        warnings: [
          { kind: 'loopback_only' },
          { kind: 'private_use_scheme', scheme: 'cursor:' },
          { kind: 'looks_like', name: 'Shop <b>' },
          { kind: 'claims_status', word: 'official' },
          { kind: 'mixed_scripts' },
        ],
        changes: ['identity', 'name', 'redirect_hosts', 'keys', 'logo', 'scope', 'resources'],
        scope: ['openid', 'read<b>'],
        resources: { 'https://api.example/': ['write<b>'] },
      },
      links: {
        policy: { uri: 'https://shop.example/policy?a=b&c="<b>', host: 'shop.example' },
        terms: { uri: 'https://shop.example/terms', host: 'shop.example' },
      },
      logo: 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
    },
    holds: [...toAnswer, 'value="allow"', 'value="deny"', shop.host, '127.0.0.1', 'cursor:', 'api.example'],
  },
  {
    page: {
      kind: 'consent',
      form,
      application: nameless,
      user: { name: undefined, account: 'alice<b>' },
      facts: {
        identity: { kind: 'verified', host: 'directory.example' },
        redirectHosts: [{ kind: 'private_use', host: 'com.example.app:' }],
        warnings: [],
        changes: [],
        scope: [],
        resources: {},
      },
      links: { policy: undefined, terms: undefined },
      logo: undefined,
    },
    holds: [...toAnswer, 'value="allow"', 'value="deny"', 'com.example.app:', 'directory.example'],
  },
  {
    page: {
      kind: 'consents',
      user,
      action: '/consents',
      consents: [
        {
          application: shop,
          scope: ['openid', 'read<b>'],
          resources: { 'https://api.example/': ['read', 'write<b>'] },
          begun_at: epochSeconds(1_700_000_000_000),
          last_use: epochSeconds(1_700_092_800_000),
          login: { uri: 'https://shop.example/login?iss=https%3A%2F%2Fop.example', host: 'shop.example' },
          value: 'sample-value',
        },
        {
          application: nameless,
          scope: [],
          resources: {},
          begun_at: epochSeconds(1_700_000_000_000),
          last_use: undefined,
          login: undefined,
          value: 'another-value',
        },
      ],
      revoked: true,
    },
    holds: ['action="/consents"', 'sample-value', 'another-value', 'https://api.example/', shop.host, nameless.host],
  },
  { page: { kind: 'consents', user, action: '/consents', consents: [], revoked: false }, holds: [] },
  { page: { kind: 'login_failed', again: '/interaction/sample' }, holds: [] },
  { page: { kind: 'login_failed', again: undefined }, holds: [] },
  {
    page: { kind: 'not_permitted', again: '/interaction/sample?account=other' },
    holds: ['href="/interaction/sample?account=other"'],
  },
  { page: { kind: 'not_permitted', again: undefined }, holds: [] },
  { page: { kind: 'sign_in_misconfigured' }, holds: [] },
  { page: { kind: 'too_many_attempts', form }, holds: [...toAnswer, 'value="cancel"'] },
  { page: { kind: 'interaction_gone' }, holds: [] },
  {
    page: {
      kind: 'request_error',
      error: 'invalid_request',
      description: 'a fault <b>',
      back: { application: shop, uri: 'https://shop.example/' },
    },
    holds: ['invalid_request', 'href="https://shop.example/"', shop.host],
  },
  {
    page: { kind: 'request_error', error: 'invalid_client', description: undefined, back: undefined },
    holds: ['invalid_client'],
  },
  {
    page: { kind: 'application_suspended', error: 'invalid_client', description: 'suspended <b>' },
    holds: ['invalid_client'],
  },
  {
    page: { kind: 'application_pending', error: 'access_denied', description: 'pending <b>' },
    holds: ['access_denied'],
  },
  {
    page: { kind: 'application_refused', error: 'access_denied', description: 'refused <b>', reason: 'no <b> contact' },
    holds: ['access_denied', 'no &lt;b&gt; contact'],
  },
  { page: { kind: 'sign_in_unavailable', again: '/interaction/sample' }, holds: [] },
]

const logoutForm = { action: '/logout/confirm', value: 'sample-value' }
const frames = ['https://shop.example/logged-out', 'https://mail.example/logged-out?sid=sample']

const home = {
  kind: 'home',
  issuer: 'https://op.example',
  metadata: 'https://op.example/.well-known/openid-configuration',
  keySet: 'https://op.example/jwks.json',
  endpoints: [{ name: 'registration_endpoint', uri: 'https://op.example/clients' }],
  reference: undefined,
  rules: undefined,
  playground: undefined,
  console: undefined,
  consents: undefined,
  logout: undefined,
} as const

const reference = [
  { text: 'RFC 7591 §2', uri: 'https://www.rfc-editor.org/rfc/rfc7591#section-2' },
  { text: ', and more <b>', uri: undefined },
]
const rule = { id: 'uri-fragment', uri: 'https://op.example/rules/uri-fragment' }

const operation = { name: 'POST /clients', uri: 'https://op.example/reference/post-clients' }

const developerPages: ReadonlyArray<SamplePage> = [
  {
    page: {
      kind: 'rules',
      heading: 'Rules',
      places: [{ name: 'redirect_uris', rules: [rule] }],
      rules: [{ ...rule, text: 'must be <b>', reference }],
    },
    holds: [`href="${rule.uri}"`, 'redirect_uris', `href="${reference[0]?.uri ?? ''}"`],
  },
  {
    page: {
      kind: 'rule',
      heading: rule.id,
      description: 'redirect_uris must be <b>',
      reason: 'Because <b>.',
      consequence: 'Nothing comes in <b>.',
      reference,
      members: ['redirect_uris'],
      request: 'POST /clients',
      given: 'It is so <b>.',
      policy: '{ "allowed": "<b>" }',
      bad: '{ "bad": "<b>" }',
      good: '{ "good": "<b>" }',
      all: 'https://op.example/rules',
    },
    holds: ['href="https://op.example/rules"', 'redirect_uris', 'POST /clients', 'bad', 'good'],
  },
  {
    page: {
      kind: 'rule',
      heading: rule.id,
      description: 'The body must be',
      reason: 'Because',
      consequence: 'Nothing comes in.',
      reference: [],
      members: [],
      request: 'POST /clients',
      given: undefined,
      policy: undefined,
      bad: '[]',
      good: '{}',
      all: 'https://op.example/rules',
    },
    holds: ['href="https://op.example/rules"'],
  },
  {
    page: {
      kind: 'reference',
      heading: 'Reference',
      document: 'https://op.example/openapi.json',
      groups: [{ name: 'Registration', operations: [{ ...operation, summary: 'Registers <b>' }] }],
    },
    holds: [`href="${operation.uri}"`, operation.name, 'href="https://op.example/openapi.json"'],
  },
  {
    page: {
      kind: 'operation',
      heading: operation.name,
      summary: 'Registers <b>',
      needs: ['No token is needed <b>.'],
      request: "curl -d '<b>'",
      parameters: [{ name: 'dry_run', text: 'true <b>' }],
      answers: [
        { status: 200, text: 'Done <b>', sample: '{ "client_id": "<b>" }' },
        { status: 204, text: 'Done', sample: undefined },
      ],
      refusals: [{ status: 400, text: 'Faults <b>' }],
      document: 'https://op.example/openapi.json',
      all: 'https://op.example/reference',
    },
    holds: ['href="https://op.example/reference"', 'curl', 'dry_run', 'client_id', '400'],
  },
]

const toStay = [logoutForm.action, logoutForm.value, 'name="answer"', 'value="stay"']

export const samplePages: ReadonlyArray<SamplePage> = [
  {
    page: {
      kind: 'dialog',
      form: logoutForm,
      back: shop,
      notice: undefined,
      applications: [shop, nameless],
      more: 3,
      user: { name: undefined, account: 'alice<b>' },
    },
    holds: [...toStay, 'value="logout"', shop.host, nameless.host],
  },
  {
    page: { kind: 'dialog', form: logoutForm, back: undefined, notice: 'no_hint', applications: [], more: 0 },
    holds: [...toStay, 'value="logout"'],
  },
  {
    page: {
      kind: 'dialog',
      form: logoutForm,
      back: nameless,
      notice: undefined,
      applications: [shop, nameless],
      more: 30,
    },
    holds: [...toStay, 'value="logout"', shop.host, nameless.host],
  },
  { page: { kind: 'nobody', form: logoutForm, back: nameless, notice: undefined }, holds: [...toStay, nameless.host] },
  { page: { kind: 'nobody', form: undefined, back: undefined, notice: 'unregistered_uri' }, holds: [] },
  {
    page: {
      kind: 'signed_out',
      applications: [shop, nameless],
      more: 1,
      frames,
      back: { application: shop, uri: 'https://shop.example/after' },
    },
    holds: [...frames, 'sandbox=', 'href="https://shop.example/after"'],
  },
  { page: { kind: 'signed_out', applications: [], more: 0, frames: [], back: undefined }, holds: [] },
  {
    page: {
      kind: 'signed_out',
      applications: [],
      more: 0,
      frames: [],
      back: { application: nameless, uri: 'https://mail.example/after' },
      elsewhere: { application: { name: undefined, host: 'accounts.example' }, uri: 'https://accounts.example/end' },
    },
    holds: ['href="https://mail.example/after"', 'href="https://accounts.example/end"', 'accounts.example'],
  },
  { page: { kind: 'still_signed_in' }, holds: [] },
  { page: { kind: 'gone' }, holds: [] },
  { page: { kind: 'unavailable' }, holds: [] },
  {
    page: {
      ...home,
      reference: 'https://op.example/reference',
      rules: 'https://op.example/rules',
      playground: 'https://op.example/playground',
      console: '/console',
      consents: 'https://op.example/consents',
      logout: 'https://op.example/logout',
    },
    holds: ['reference', 'rules', 'playground', 'consents', 'logout'].map(
      (name) => `href="https://op.example/${name}"`,
    ),
  },
  {
    page: home,
    holds: [home.issuer, 'https://op.example/clients', `href="${home.metadata}"`, `href="${home.keySet}"`],
  },
  { page: { kind: 'not_found' }, holds: [] },
  { page: { kind: 'needs_token' }, holds: [] },
  { page: { kind: 'gone', again: '/logout' }, holds: [] },
  { page: { kind: 'unavailable', again: '/logout' }, holds: [] },
  { page: { kind: 'too_many_requests' }, holds: [] },
  { page: { kind: 'too_many_requests', again: '/logout' }, holds: ['href="/logout"'] },
  ...sampleSignInPages,
  ...developerPages,
]
