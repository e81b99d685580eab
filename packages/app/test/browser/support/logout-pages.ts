import { createPageRenderer } from '@clientele/adapters-http'
import * as E from 'fp-ts/lib/Either.js'
import { type Served, type Site, openSite } from './loopback-site.js'

const created = createPageRenderer()
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

/** A page of each kind, in each of its variants. */
export const pages: Readonly<Record<string, Page>> = {
  dialog: { kind: 'dialog', form, back: shop, notice: undefined, applications: [shop, mail, nameless], more: 0 },
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
  home: {
    kind: 'home',
    issuer: 'https://id.example',
    metadata: 'https://id.example/.well-known/openid-configuration',
    keySet: 'https://id.example/jwks.json',
    playground: 'https://id.example/playground',
  },
  not_found: { kind: 'not_found' },
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
