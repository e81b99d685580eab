// The lists of the console, and its other pages: clients, refusals, connections, sessions, deliveries, keys, tokens and the audit log.
import {
  issuableManagementPrivileges,
  managementPrivilegeTexts,
  registrationScopeValues,
} from '@clientele/domain/authorization'
import { isDone, listOf, numberOf, refusalOf, textOf } from './asking.js'
import { type BulkPage, changeAll } from './bulk.js'
import { keyCalendar } from './key-calendar.js'
import {
  type Fields,
  type Gone,
  type Page,
  type Shown,
  type Visit,
  addressOf,
  goneOr,
  listPage,
  pageOf,
  parameterOf,
  parametersOf,
  pathOf,
  refusedOn,
} from './page.js'
import { tryPolicyPage } from './policy.js'

const inPath = encodeURIComponent

// The list of clients, and changes of all that a search finds.

const clientFilter = ['q', 'state', 'origin', 'registered_by', 'software_id', 'since', 'idle_since', 'declared']

const clientsPage = (visit: Visit): Promise<Shown> =>
  listPage(
    visit,
    'clients',
    { title: 'Clients', route: '/manage/v1/clients', filter: clientFilter, limit: '50', by: 'after' },
    (body, filter) => ({
      clients: listOf(body, 'clients'),
      isFiltered: Object.keys(filter).length > 0,
      first: parameterOf(visit, 'after') === '' ? undefined : addressOf(pathOf('clients'), filter),
    }),
  )

const ofWaiting = 'Clients that are in force stay as they are.'

const changesOfClients: BulkPage = {
  section: 'clients',
  one: 'client',
  several: 'clients',
  filterNames: clientFilter,
  changes: {
    suspension: { verb: 'Suspend', done: 'suspended' },
    resumption: { verb: 'Resume', done: 'resumed' },
    approval: { verb: 'Approve', done: 'approved', note: ofWaiting },
    refusal: { verb: 'Refuse', done: 'refused', takesReason: true, note: ofWaiting },
    removal: {
      verb: 'Delete',
      done: 'deleted',
      warning: 'What is deleted cannot be restored: its credentials, connections and tokens go with it.',
    },
  },
  path: (change) => `/manage/v1/clients/${change}`,
}

export const clientListPage: Page = pageOf(
  'clients',
  clientsPage,
  async (visit, fields) => (await changeAll(changesOfClients, visit, fields)) ?? clientsPage(visit),
)

// What was removed by the service itself.

const removals = {
  title: 'Removed clients',
  route: '/manage/v1/removals',
  filter: [],
  limit: '50',
  by: 'after',
} as const

const removalsPage = (visit: Visit): Promise<Shown> => listPage(visit, 'removals', removals, (page) => ({ page }))

const restore = async (visit: Visit, { one }: Fields): Promise<Shown | Gone> => {
  const id = one('client_id')
  const answered = await visit.ask('POST', `/manage/v1/clients/${inPath(id)}/restoration`)
  const gone: Gone = { to: `/console/clients/${inPath(id)}`, notice: 'restored' }
  return goneOr(answered, gone, () => removalsPage(visit))
}

// What was refused lately: what keeps clients out.

const refusals = {
  title: 'Refused lately',
  route: '/manage/v1/refusals',
  filter: ['door', 'rule', 'sender', 'software', 'client_id'],
  limit: '100',
}

const refusalsPage = (visit: Visit): Promise<Shown> =>
  listPage(visit, 'refusals', refusals, (body) => ({
    counts: listOf(body, 'counts'),
    refusals: listOf(body, 'refusals'),
  }))

// Connections: what end-users granted.

const ofLiveConnections = ['client_id', 'sub', 'scope', 'resource', 'used_since', 'idle_since']
const connections = {
  title: 'Connections',
  route: '/manage/v1/connections',
  filter: [...ofLiveConnections, 'state'],
  limit: '50',
  by: 'after',
} as const

/** The page of the list on which the visitor is. */
const hereOf = (visit: Visit): string =>
  addressOf(pathOf('connections'), parametersOf(visit, [...connections.filter, 'after']))

const connectionsPage = (visit: Visit): Promise<Shown> =>
  listPage(visit, 'connections', connections, (body, filter) => ({
    connections: listOf(body, 'connections'),
    here: hereOf(visit),
    isChosen: Object.keys(filter).length > 0 && parameterOf(visit, 'state') !== 'revoked',
  }))

const revocations: BulkPage = {
  section: 'connections',
  one: 'connection',
  several: 'connections',
  filterNames: ofLiveConnections,
  changes: {
    revocation: {
      verb: 'Revoke',
      done: 'revoked',
      warning:
        'Their tokens count nowhere any more, and end-users are asked again, unless an application skips their consent.',
    },
  },
  path: (change) => `/manage/v1/connections/${change}`,
}

const disconnect = async (visit: Visit, fields: Fields): Promise<Shown | Gone> => {
  const { one } = fields
  const all = await changeAll(revocations, visit, fields)
  if (all !== undefined) return all
  const answered = await visit.ask('DELETE', `/manage/v1/connections/${inPath(one('id'))}`)
  return goneOr(answered, { to: hereOf(visit), notice: 'disconnected' }, () => connectionsPage(visit))
}

// Sessions of an end-user.

const sessionsPage = async (visit: Visit): Promise<Shown> => {
  const sub = parameterOf(visit, 'sub').trim()
  const found = sub === '' ? undefined : await visit.ask('GET', '/sessions', { query: { sub: [sub] } })
  const shown: Shown = {
    template: 'sessions',
    title: 'Sessions',
    data: { sub, sessions: found === undefined ? undefined : listOf(found.body, 'sessions') },
  }
  return refusedOn(shown, found === undefined ? undefined : refusalOf(found))
}

const endSession = async (visit: Visit, { one }: Fields): Promise<Shown | Gone> => {
  const answered = await visit.ask('DELETE', `/sessions/${inPath(one('sid'))}`)
  const gone: Gone = { to: addressOf(pathOf('sessions'), parametersOf(visit, ['sub'])), notice: 'ended' }
  return goneOr(answered, gone, () => sessionsPage(visit))
}

// Logout notifications.

const deliveriesPage = async ({ ask }: Visit): Promise<Shown> => {
  const found = await ask('GET', '/logouts')
  const failed = listOf(found.body, 'notices').some((each) => textOf(each, 'state') === 'failed')
  const shown: Shown = { template: 'deliveries', title: 'Logout deliveries', data: { page: found.body, failed } }
  return refusedOn(shown, refusalOf(found))
}

const retry = async (visit: Visit, { one }: Fields): Promise<Shown | Gone> => {
  const body = one('id') === '' ? {} : { id: one('id') }
  const answered = await visit.ask('POST', '/logouts/retry', { body })
  return goneOr(answered, { to: pathOf('deliveries'), notice: 'retried' }, () => deliveriesPage(visit))
}

// Keys.

type KeyData = { readonly plan?: unknown; readonly consequences?: unknown; readonly asked?: unknown }

const keysPage =
  (now: () => number) =>
  async ({ ask }: Visit, data: KeyData = {}): Promise<Shown> => {
    const found = await ask('GET', '/keys')
    const shown: Shown = {
      template: 'keys',
      title: 'Keys',
      data: {
        keys: listOf(found.body, 'keys'),
        foreign: listOf(found.body, 'foreign'),
        calendar: keyCalendar(found.body, now()),
        ...data,
      },
    }
    return refusedOn(shown, refusalOf(found))
  }

/** A change of keys: first what it would do, and then, confirmed, the change. */
const changeKeys =
  (now: () => number) =>
  async (visit: Visit, { one }: Fields): Promise<Shown | Gone> => {
    const show = keysPage(now)
    const isCompromise = one('action') === 'compromise'
    const path = isCompromise ? '/keys/compromise' : '/keys/roll-over'
    const body = isCompromise ? { kid: one('kid') } : one('alg') === '' ? {} : { alg: one('alg') }
    const isConfirmed = one('confirmed') === 'yes'
    const answered = await visit.ask('POST', path, {
      body,
      query: isConfirmed ? {} : { dry_run: ['true'] },
    })
    if (!isDone(answered)) return refusedOn(await show(visit), refusalOf(answered))
    if (isConfirmed) return { to: pathOf('keys'), notice: isCompromise ? 'compromised' : 'rolled' }
    return show(visit, {
      plan: listOf(answered.body, 'keys'),
      consequences: listOf(answered.body, 'consequences'),
      asked: { action: one('action'), ...body },
    })
  }

// Initial access tokens, and operator tokens.

const scopeTexts: Readonly<Record<string, string>> = {
  'client-reg': 'register any client that the policy permits',
  'client-reg:grant:code': 'use the grant authorization_code',
  'client-reg:grant:implicit': 'use the grant implicit',
  'client-reg:grant:refresh': 'use refresh tokens',
  'client-reg:grant:password': 'use the grant password',
  'client-reg:grant:client': 'use the grant client_credentials',
  'client-reg:grant:jwt': 'use JWT bearer assertions as grants',
  'client-reg:grant:saml': 'use SAML bearer assertions as grants',
  'client-reg:scope': 'ask for any scope',
  'client-reg:data': 'store data of its own',
  'client-reg:set-id': 'choose its client_id',
  'client-reg:set-secret': 'choose its client_secret',
}

/** Tokens of a kind: those in force, which are revoked one by one, and a form that issues one. */
type Issuing = {
  readonly section: 'tokens' | 'operators'
  readonly title: string
  readonly listed: string
  readonly issued: string
  /** The boxes of the form, and those that are ticked before anybody did. */
  readonly texts: Readonly<Record<string, string>>
  readonly ticked: ReadonlyArray<string>
  /** A field of the form beside them. */
  readonly field: 'scopes' | 'name'
  readonly bodyOf: (boxes: ReadonlyArray<string>, typed: string) => Readonly<Record<string, string>>
}

type IssuingData = { readonly issued?: unknown; readonly fields?: Fields }

/** What is no number of days is no lifetime either: the route refuses it. */
const lifetimeIn = (days: string): Readonly<Record<string, number>> =>
  days.trim() === '' ? {} : { lifetime: Math.round(Number(days) * 86_400) }

const issuingPage = ({ section, title, listed, issued, texts, ticked, field, bodyOf }: Issuing): Page => {
  const show = async ({ ask }: Visit, data: IssuingData = {}): Promise<Shown> => {
    const found = await ask('GET', listed)
    const chosen = data.fields?.all('value') ?? ticked
    const shown: Shown = {
      template: section,
      title,
      data: {
        tokens: listOf(found.body, 'tokens'),
        values: Object.entries(texts).map(([value, text]) => ({ value, text, isChosen: chosen.includes(value) })),
        [field]: data.fields?.one(field) ?? '',
        days: data.fields?.one('days') ?? '',
        issued: data.issued,
      },
    }
    return refusedOn(shown, refusalOf(found))
  }
  return pageOf(section, show, async (visit, fields) => {
    const { one, all } = fields
    if (one('action') === 'revoke') {
      const answered = await visit.ask('DELETE', `${listed}/${inPath(one('id'))}`)
      return goneOr(answered, { to: pathOf(section), notice: 'revoked' }, () => show(visit))
    }
    const body = { ...bodyOf(all('value'), one(field).trim()), ...lifetimeIn(one('days')) }
    const answered = await visit.ask('POST', issued, { body })
    return isDone(answered)
      ? show(visit, { issued: answered.body })
      : refusedOn(await show(visit, { fields }), refusalOf(answered))
  })
}

const tokensPage = issuingPage({
  section: 'tokens',
  title: 'Initial access tokens',
  listed: '/initial-access-tokens',
  issued: '/direct-authz',
  texts: Object.fromEntries(registrationScopeValues.map((value) => [value, scopeTexts[value] ?? value])),
  ticked: ['client-reg:grant:code'],
  field: 'scopes',
  bodyOf: (boxes, typed) => {
    const scopes = typed.split(/\s+/).filter((value) => value !== '')
    return { scope: [...boxes, ...scopes.map((value) => `client-reg:scope:${value}`)].join(' ') }
  },
})

const operatorsPage = issuingPage({
  section: 'operators',
  title: 'Operators',
  listed: '/operator-tokens',
  issued: '/operator-tokens',
  texts: Object.fromEntries(issuableManagementPrivileges.map((value) => [value, managementPrivilegeTexts[value]])),
  ticked: [],
  field: 'name',
  bodyOf: (boxes, typed) => ({ scope: boxes.join(' '), ...(typed === '' ? {} : { name: typed }) }),
})

// The audit log.

const audit = {
  title: 'Audit log',
  route: '/manage/v1/audit',
  filter: ['client_id', 'actor', 'action', 'since', 'until'],
  limit: '50',
  by: 'before',
} as const

const auditPage = (visit: Visit): Promise<Shown> =>
  listPage(visit, 'audit', audit, (body) => ({ rows: listOf(body, 'rows') }))

// Verifies step after step while the browser waits.
const patience = 20_000

const verify = async (visit: Visit): Promise<Shown> => {
  const end = performance.now() + patience
  let after: string | undefined
  let rows = 0
  const findings: Array<unknown> = []
  const page = await auditPage(visit)
  for (;;) {
    const step = await visit.ask('GET', '/manage/v1/audit/verification', {
      query: after === undefined ? {} : { after: [after] },
    })
    if (!isDone(step)) return refusedOn(page, refusalOf(step))
    rows += (numberOf(step.body, 'rows') ?? 0) + (numberOf(step.body, 'waiting') ?? 0)
    findings.push(...listOf(step.body, 'findings'))
    after = textOf(step.body, 'next')
    if (after === undefined || performance.now() > end)
      return { ...page, data: { ...page.data, verified: { rows, findings, isWhole: after === undefined } } }
  }
}

export const managingPages = (now: () => number): ReadonlyArray<Page> => [
  clientListPage,
  pageOf('refusals', refusalsPage),
  pageOf('removals', removalsPage, restore),
  pageOf('connections', connectionsPage, disconnect),
  pageOf('sessions', sessionsPage, endSession),
  pageOf('deliveries', deliveriesPage, retry),
  pageOf('keys', keysPage(now), changeKeys(now)),
  tokensPage,
  operatorsPage,
  tryPolicyPage,
  pageOf('audit', auditPage, verify),
]
