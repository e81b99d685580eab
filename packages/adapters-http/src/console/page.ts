// A page of the console: what it needs, what it shows, and what its forms do. Each is a route for GET and one for POST.
import type { ManagementPrivilege, ManagementPrivileges } from '@clientele/domain/authorization'
import type { Query } from '../http/request.js'
import { type Answered, type Ask, type ShownRefusal, isDone, refusalOf, textOf } from './asking.js'

export const sections = {
  overview: { title: 'Overview', path: '', needs: [] },
  clients: { title: 'Clients', path: '/clients', needs: ['clients:read'] },
  approvals: { title: 'Approvals', path: '/approvals', needs: ['clients:read'] },
  refusals: { title: 'Refused lately', path: '/refusals', needs: ['clients:read'] },
  removals: { title: 'Removed', path: '/removals', needs: ['clients:read'] },
  connections: { title: 'Connections', path: '/connections', needs: ['connections:read'] },
  sessions: { title: 'Sessions', path: '/sessions', needs: ['sessions'] },
  deliveries: { title: 'Logout deliveries', path: '/deliveries', needs: ['deliveries'] },
  keys: { title: 'Keys', path: '/keys', needs: ['keys'] },
  tokens: { title: 'Tokens', path: '/tokens', needs: ['tokens'] },
  operators: { title: 'Operators', path: '/operators', needs: ['operators'] },
  policy: { title: 'Policy', path: '/policy', needs: ['clients:read'] },
  audit: { title: 'Audit log', path: '/audit', needs: ['audit'] },
} as const satisfies Readonly<
  Record<string, { readonly title: string; readonly path: string; readonly needs: ManagementPrivileges }>
>

export type Section = keyof typeof sections

/** What was done, in one sentence: the address of a page names it. */
export const notices = {
  suspended: 'The client is suspended: no endpoint serves it until you resume it.',
  resumed: 'The client is resumed.',
  approved: 'The client is approved: it can be used now.',
  refused: 'The client is refused: its developer reads your reason.',
  removed: 'The client is deleted, with what was recorded for it.',
  secret_dropped: 'The preceding secret authenticates nobody any more.',
  saved: 'The changes are stored.',
  restored: 'The client is registered again, with the credentials that it had.',
  revoked: 'It is revoked, and counts nowhere any more.',
  disconnected: 'The connection is revoked: its tokens count nowhere any more.',
  ended: 'The session is ended, and its applications are told.',
  retried: 'The failed notifications are due now.',
  rolled: 'The successors are announced: the table below says when each takes over.',
  compromised: 'The key is taken out: the table below has what is left.',
} as const

export type Notice = keyof typeof notices

/** What a page shows: its template, and the values for it. */
export type Shown = {
  readonly template: string
  readonly title: string
  readonly data: Readonly<Record<string, unknown>>
  readonly status?: number
  readonly refusal?: ShownRefusal | undefined
}

/** Where the browser goes after a change: RFC 9110 §15.4.4, so that going back does not repeat it. */
export type Gone = { readonly to: string; readonly notice?: Notice | undefined }

export type Visit = {
  readonly ask: Ask
  readonly may: (privilege: ManagementPrivilege) => boolean
  /** The parameter of the path. */
  readonly id: string
  readonly query: Query
}

/** The fields of a form that was sent: the first value of each, or all. */
export type Fields = { readonly one: (name: string) => string; readonly all: (name: string) => ReadonlyArray<string> }

/** The fields of a form that was sent when its session had ended. */
export type Unsent = ReadonlyArray<{ readonly name: string; readonly value: string }>

export type Page = {
  readonly section: Section
  readonly path: string
  /** Whoever lacks one of these sees that, and nothing of the page. */
  readonly needs: ManagementPrivileges
  readonly show: (visit: Visit) => Promise<Shown>
  readonly act?: (visit: Visit, fields: Fields) => Promise<Shown | Gone>
}

export const pathOf = (section: Section): string => `/console${sections[section].path}`

/** A page of a section that needs what the section does. */
export const pageOf = (
  section: Section,
  show: Page['show'],
  act?: Page['act'],
  more: Partial<Pick<Page, 'path' | 'needs'>> = {},
): Page => ({
  section,
  path: pathOf(section),
  needs: sections[section].needs,
  show,
  ...(act === undefined ? {} : { act }),
  ...more,
})

export const isGone = (result: Shown | Gone): result is Gone => 'to' in result

/** One value of a parameter of the address; empty where there is none, or several. */
export const parameterOf = ({ query }: Pick<Visit, 'query'>, name: string): string => {
  const [value = '', ...more] = (Object.hasOwn(query, name) ? query[name] : undefined) ?? []
  return more.length === 0 ? value : ''
}

/** The parameters among these that say something, as a route takes them. */
export const parametersOf = (visit: Pick<Visit, 'query'>, names: ReadonlyArray<string>): Query =>
  Object.fromEntries(
    names
      .map((name) => [name, parameterOf(visit, name).trim()] as const)
      .flatMap(([name, value]) => (value === '' ? [] : [[name, [value]]])),
  )

/** The same parameters as a part of an address. */
export const addressOf = (path: string, parameters: Query): string => {
  const text = Object.entries(parameters)
    .flatMap(([name, values]) => values.map((value) => `${name}=${encodeURIComponent(value)}`))
    .join('&')
  return text === '' ? path : `${path}?${text}`
}

/** The page again, with why nothing was done. */
export const refusedOn = (shown: Shown, refusal: ShownRefusal | undefined): Shown =>
  refusal === undefined ? shown : { ...shown, status: refusal.status, refusal }

/** A list that a filter chooses: `by` is the parameter of the address that says where a page of it begins, if it has pages. */
type List = {
  readonly title: string
  readonly route: string
  readonly filter: ReadonlyArray<string>
  readonly limit: string
  readonly by?: 'after' | 'before'
  /** What every page of it has. */
  readonly fixed?: Query
}

/** A page of the list, with the fields of its form and the address of the next page. */
export const listPage = async (
  visit: Visit,
  section: Section,
  { title, route, filter: names, limit, by, fixed }: List,
  dataOf: (body: unknown, filter: Query) => Shown['data'],
): Promise<Shown> => {
  const filter = parametersOf(visit, names)
  const query = { ...filter, ...parametersOf(visit, by === undefined ? [] : [by]), ...fixed, limit: [limit] }
  const found = await visit.ask('GET', route, { query })
  const next = textOf(found.body, 'next')
  const data = {
    filter: Object.fromEntries(names.map((name) => [name, parameterOf(visit, name)])),
    next: next === undefined || by === undefined ? undefined : addressOf(pathOf(section), { ...filter, [by]: [next] }),
    ...dataOf(found.body, filter),
  }
  return refusedOn({ template: section, title, data }, refusalOf(found))
}

/** Leads on where the change was made; or shows the page again, with why it was not. */
export const goneOr = async (answered: Answered, gone: Gone, again: () => Promise<Shown>): Promise<Shown | Gone> =>
  isDone(answered) ? gone : refusedOn(await again(), refusalOf(answered))
