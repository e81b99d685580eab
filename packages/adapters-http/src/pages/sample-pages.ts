// Pages of every kind, with all values and with none, to check a theme.
import type { ShownApplication } from './page.js'
import type { SamplePage } from './sample-page.js'
import { sampleSignInPages } from './sample-sign-in-pages.js'

export type { SamplePage } from './sample-page.js'

// The name shows whether a template escapes it.
const shop: ShownApplication = { name: 'Sample <b>&" Shop', host: 'shop.example' }
const mail: ShownApplication = { name: undefined, host: 'mail.example' }
const form = { action: '/logout/confirm', value: 'sample-value' }
const frames = ['https://shop.example/logged-out', 'https://mail.example/logged-out?sid=sample']

const home = {
  kind: 'home',
  issuer: 'https://op.example',
  metadata: 'https://op.example/.well-known/openid-configuration',
  keySet: 'https://op.example/jwks.json',
  playground: undefined,
  consents: undefined,
  logout: undefined,
} as const

const toAnswer = [form.action, form.value, 'name="answer"', 'value="stay"']

export const samplePages: ReadonlyArray<SamplePage> = [
  {
    page: {
      kind: 'dialog',
      form,
      back: shop,
      notice: undefined,
      applications: [shop, mail],
      more: 3,
      user: { name: undefined, account: 'alice<b>' },
    },
    holds: [...toAnswer, 'value="logout"', shop.host, mail.host],
  },
  {
    page: { kind: 'dialog', form, back: undefined, notice: 'no_hint', applications: [], more: 0 },
    holds: [...toAnswer, 'value="logout"'],
  },
  {
    page: { kind: 'dialog', form, back: mail, notice: undefined, applications: [shop, mail], more: 30 },
    holds: [...toAnswer, 'value="logout"', shop.host, mail.host],
  },
  { page: { kind: 'nobody', form, back: mail, notice: undefined }, holds: [...toAnswer, mail.host] },
  { page: { kind: 'nobody', form: undefined, back: undefined, notice: 'unregistered_uri' }, holds: [] },
  {
    page: {
      kind: 'signed_out',
      applications: [shop, mail],
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
      back: { application: mail, uri: 'https://mail.example/after' },
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
      playground: 'https://op.example/playground',
      consents: 'https://op.example/consents',
      logout: 'https://op.example/logout',
    },
    holds: ['playground', 'consents', 'logout'].map((name) => `href="https://op.example/${name}"`),
  },
  { page: home, holds: [`href="${home.metadata}"`, `href="${home.keySet}"`] },
  { page: { kind: 'not_found' }, holds: [] },
  { page: { kind: 'needs_token' }, holds: [] },
  { page: { kind: 'gone', again: '/logout' }, holds: [] },
  { page: { kind: 'unavailable', again: '/logout' }, holds: [] },
  { page: { kind: 'too_many_requests' }, holds: [] },
  { page: { kind: 'too_many_requests', again: '/logout' }, holds: ['href="/logout"'] },
  ...sampleSignInPages,
]
