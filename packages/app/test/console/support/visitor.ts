// A browser of the console without its pictures: it keeps the cookie, and sends the forms that pages have.
import { emptyState, openInMemoryStore } from '@clientele/adapters-memory'
import type { Store, StoreOpener } from '@clientele/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Service, newDataDir, startService } from '../../support/composed-service.js'

export type ConsolePage = { readonly status: number; readonly html: string; readonly location: string | null }

export type Visitor = {
  readonly open: (path: string) => Promise<ConsolePage>
  /** Sends a form of the page at the path, with its hidden value. */
  readonly send: (path: string, fields: Readonly<Record<string, string>> | URLSearchParams) => Promise<ConsolePage>
  readonly cookie: () => string
}

const pageOf = async (response: Response): Promise<ConsolePage> => ({
  status: response.status,
  html: await response.text(),
  location: response.headers.get('Location'),
})

/** The hidden value of the forms in a page. */
export const formIn = (html: string): string => /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''

const entities: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'" }

const read = (text = ''): string => text.replace(/&(\w+|#39);/g, (whole, name: string) => entities[name] ?? whole)

const attribute = (tag: string, name: string): string | undefined => {
  const [, value] = new RegExp(`\\b${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? undefined : read(value)
}

/** What a browser sends of the form of a page to which nobody does anything. */
export const untouched = (html: string, id: string): URLSearchParams => {
  const [, form = ''] = new RegExp(`<form [^>]*id="${id}"[^>]*>([^]*?)</form>`).exec(html) ?? []
  const fields = new URLSearchParams()
  for (const [tag, content] of form.matchAll(
    /<input [^>]*>|<textarea [^>]*>\n?([^]*?)<\/textarea>|<select [^>]*>([^]*?)<\/select>/g,
  )) {
    const [, chosen = ''] = tag.startsWith('<select') ? (/<option selected>([^<]*)/.exec(tag) ?? []) : []
    const isSent = attribute(tag, 'type') !== 'checkbox' || / checked>/.test(tag)
    const value = tag.startsWith('<input') ? attribute(tag, 'value') : read(content ?? chosen)
    if (isSent) fields.append(attribute(tag, 'name') ?? '', value ?? '')
  }
  return fields
}

const formType = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Signs in by the fields of the first form: a token, or a link. */
export const signIn = async (base: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${base}/console/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: formType,
    body: new URLSearchParams(fields),
  })

const cookieOf = (response: Response): string => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

export const visitorWith = (base: string, cookie: string): Visitor => {
  const headers = { Cookie: cookie }
  const open = async (path: string): Promise<ConsolePage> =>
    pageOf(await fetch(`${base}${path}`, { headers, redirect: 'manual' }))
  return {
    open,
    send: async (path, fields) => {
      const body = new URLSearchParams(fields)
      body.set('form', formIn((await open('/console')).html))
      return pageOf(
        await fetch(`${base}${path}`, {
          method: 'POST',
          redirect: 'manual',
          headers: { ...headers, ...formType },
          body,
        }),
      )
    },
    cookie: () => cookie,
  }
}

export const visit = async (base: string, token: string): Promise<Visitor> =>
  visitorWith(base, cookieOf(await signIn(base, { token })))

export const visitByLink = async (base: string, link: string): Promise<Visitor> =>
  visitorWith(base, cookieOf(await signIn(base, { link })))

const json = { 'Content-Type': 'application/json' }

export const registered = async (
  { base, master }: Pick<Service, 'base' | 'master'>,
  metadata: Readonly<Record<string, unknown>>,
): Promise<{ readonly client_id: string }> => {
  const response = await fetch(`${base}/clients`, {
    method: 'POST',
    headers: { ...json, Authorization: `Bearer ${master}` },
    body: JSON.stringify({ redirect_uris: ['https://app.example.com/callback'], ...metadata }),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { client_id: string }
}

export const operatorToken = async (
  { base, master }: Pick<Service, 'base' | 'master'>,
  scope: string,
  lifetime = 600,
): Promise<{ readonly access_token: string; readonly id: string }> => {
  const response = await fetch(`${base}/operator-tokens`, {
    method: 'POST',
    headers: { ...json, Authorization: `Bearer ${master}` },
    body: JSON.stringify({ scope, name: 'console', lifetime }),
  })
  return (await response.json()) as { access_token: string; id: string }
}

/** The ticket of a link to the console. */
export const consoleTicket = async (
  { base, master }: Pick<Service, 'base' | 'master'>,
  scope: string,
): Promise<{ readonly ticket: string; readonly id: string; readonly console: string }> => {
  const response = await fetch(`${base}/console/links`, {
    method: 'POST',
    headers: { ...json, Authorization: `Bearer ${master}` },
    body: JSON.stringify({ scope }),
  })
  return (await response.json()) as { ticket: string; id: string; console: string }
}

export const startConsole = (
  settings: Readonly<Record<string, string>> = {},
  options: Parameters<typeof startService>[2] = {},
): ReturnType<typeof startService> => startService({ CLIENTELE_CONSOLE: 'true', ...settings }, newDataDir(), options)

/** The console beside its own store, in which a test writes what end-users do. */
export const startConsoleOnStore = async (): Promise<{
  readonly service: Awaited<ReturnType<typeof startService>>
  readonly store: Store
}> => {
  const opened: Array<Store> = []
  const openStore: StoreOpener = (needs) =>
    pipe(
      openInMemoryStore(emptyState())(needs),
      TE.map((store) => {
        opened.push(store)
        return store
      }),
    )
  const service = await startConsole({}, { openStore })
  const [store] = opened
  if (store === undefined) throw new Error('the service has opened its store')
  return { service, store }
}
