// The other pages of the console: refusals, connections, sessions, deliveries, keys, tokens and the audit log.
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
  nextPageOf,
  pageOf,
  parameterOf,
  parametersOf,
  pathOf,
  refusedOn,
  shownParameters,
} from './page.js'
import { tryPolicyPage } from './policy.js'

const inPath = encodeURIComponent

// What was removed by the service itself.

const removalsPage = async (visit: Visit): Promise<Shown> => {
  const found = await visit.ask('GET', '/manage/v1/removals', {
    query: { ...parametersOf(visit, ['after']), limit: ['50'] },
  })
  const shown: Shown = {
    template: 'removals',
    title: 'Removed clients',
    data: { page: found.body, next: nextPageOf(found, 'removals', {}) },
  }
  return refusedOn(shown, refusalOf(found))
}

const restore = async (visit: Visit, { one }: Fields): Promise<Shown | Gone> => {
  const id = one('client_id')
  const answered = await visit.ask('POST', `/manage/v1/clients/${inPath(id)}/restoration`)
  const gone: Gone = { to: `/console/clients/${inPath(id)}`, notice: 'restored' }
  return goneOr(answered, gone, () => removalsPage(visit))
}

// What was refused lately: what keeps clients out.

const refusalFilter = ['door', 'rule', 'sender', 'software', 'client_id']

const refusalsPage = async (visit: Visit): Promise<Shown> => {
  const found = await visit.ask('GET', '/manage/v1/refusals', {
    query: { ...parametersOf(visit, refusalFilter), limit: ['100'] },
  })
  const shown: Shown = {
    template: 'refusals',
    title: 'Refused lately',
    data: {
      counts: listOf(found.body, 'counts'),
      refusals: listOf(found.body, 'refusals'),
      filter: shownParameters(visit, refusalFilter),
    },
  }
  return refusedOn(shown, refusalOf(found))
}

// Connections: what end-users granted.

const ofLiveConnections = ['client_id', 'sub', 'scope', 'resource', 'used_since', 'idle_since']
const connectionFilter = [...ofLiveConnections, 'state']

/** The page of the list on which the visitor is. */
const hereOf = (visit: Visit): string =>
  addressOf(pathOf('connections'), parametersOf(visit, [...connectionFilter, 'after']))

const connectionsPage = async (visit: Visit): Promise<Shown> => {
  const filter = parametersOf(visit, connectionFilter)
  const found = await visit.ask('GET', '/manage/v1/connections', {
    query: { ...filter, ...parametersOf(visit, ['after']), limit: ['50'] },
  })
  const shown: Shown = {
    template: 'connections',
    title: 'Connections',
    data: {
      connections: listOf(found.body, 'connections'),
      filter: shownParameters(visit, connectionFilter),
      here: hereOf(visit),
      isChosen: Object.keys(filter).length > 0 && parameterOf(visit, 'state') !== 'revoked',
      next: nextPageOf(found, 'connections', filter),
    },
  }
  return refusedOn(shown, refusalOf(found))
}

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
  const gone: Gone = { to: addressOf(pathOf('sessions'), { sub: [one('sub')] }), notice: 'ended' }
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

type TokenData = {
  readonly issued?: unknown
  readonly chosen?: ReadonlyArray<string>
  readonly scopes?: string
  readonly days?: string
}

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

const tokensPage = async ({ ask }: Visit, data: TokenData = {}): Promise<Shown> => {
  const found = await ask('GET', '/initial-access-tokens')
  const shown: Shown = {
    template: 'tokens',
    title: 'Initial access tokens',
    data: {
      tokens: listOf(found.body, 'tokens'),
      values: registrationScopeValues.map((value) => ({
        value,
        text: scopeTexts[value] ?? value,
        isChosen: data.chosen?.includes(value) ?? value === 'client-reg:grant:code',
      })),
      scopes: data.scopes ?? '',
      days: data.days ?? '',
      issued: data.issued,
    },
  }
  return refusedOn(shown, refusalOf(found))
}

/** What is no number of days is no lifetime either: the route refuses it. */
const lifetimeIn = (days: string): Readonly<Record<string, number>> =>
  days.trim() === '' ? {} : { lifetime: Math.round(Number(days) * 86_400) }

const changeTokens = async (visit: Visit, { one, all }: Fields): Promise<Shown | Gone> => {
  if (one('action') === 'revoke') {
    const answered = await visit.ask('DELETE', `/initial-access-tokens/${inPath(one('id'))}`)
    return goneOr(answered, { to: pathOf('tokens'), notice: 'revoked' }, () => tokensPage(visit))
  }
  const scopes = one('scopes')
    .trim()
    .split(/\s+/)
    .filter((value) => value !== '')
  const scope = [...all('value'), ...scopes.map((value) => `client-reg:scope:${value}`)].join(' ')
  const answered = await visit.ask('POST', '/direct-authz', { body: { scope, ...lifetimeIn(one('days')) } })
  const typed = { chosen: all('value'), scopes: one('scopes'), days: one('days') }
  return isDone(answered)
    ? tokensPage(visit, { issued: answered.body })
    : refusedOn(await tokensPage(visit, typed), refusalOf(answered))
}

const operatorsPage = async ({ ask }: Visit, data: TokenData & { readonly name?: string } = {}): Promise<Shown> => {
  const found = await ask('GET', '/operator-tokens')
  const shown: Shown = {
    template: 'operators',
    title: 'Operators',
    data: {
      tokens: listOf(found.body, 'tokens'),
      values: issuableManagementPrivileges.map((value) => ({
        value,
        text: managementPrivilegeTexts[value],
        isChosen: data.chosen?.includes(value) ?? false,
      })),
      name: data.name ?? '',
      days: data.days ?? '',
      issued: data.issued,
    },
  }
  return refusedOn(shown, refusalOf(found))
}

const changeOperators = async (visit: Visit, { one, all }: Fields): Promise<Shown | Gone> => {
  if (one('action') === 'revoke') {
    const answered = await visit.ask('DELETE', `/operator-tokens/${inPath(one('id'))}`)
    return goneOr(answered, { to: pathOf('operators'), notice: 'revoked' }, () => operatorsPage(visit))
  }
  const name = one('name').trim()
  const answered = await visit.ask('POST', '/operator-tokens', {
    body: { scope: all('value').join(' '), ...(name === '' ? {} : { name }), ...lifetimeIn(one('days')) },
  })
  return isDone(answered)
    ? operatorsPage(visit, { issued: answered.body })
    : refusedOn(await operatorsPage(visit, { chosen: all('value'), name, days: one('days') }), refusalOf(answered))
}

// The audit log.

const auditFilter = ['client_id', 'actor', 'action', 'since', 'until']

const auditPage = async (visit: Visit): Promise<Shown> => {
  const filter = parametersOf(visit, auditFilter)
  const found = await visit.ask('GET', '/manage/v1/audit', {
    query: { ...filter, ...parametersOf(visit, ['before']), limit: ['50'] },
  })
  const shown: Shown = {
    template: 'audit',
    title: 'Audit log',
    data: {
      rows: listOf(found.body, 'rows'),
      filter: shownParameters(visit, auditFilter),
      next: nextPageOf(found, 'audit', filter, 'before'),
      verified: undefined,
    },
  }
  return refusedOn(shown, refusalOf(found))
}

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
  pageOf('refusals', refusalsPage),
  pageOf('removals', removalsPage, restore),
  pageOf('connections', connectionsPage, disconnect),
  pageOf('sessions', sessionsPage, endSession),
  pageOf('deliveries', deliveriesPage, retry),
  pageOf('keys', keysPage(now), changeKeys(now)),
  pageOf('tokens', tokensPage, changeTokens),
  pageOf('operators', operatorsPage, changeOperators),
  tryPolicyPage,
  pageOf('audit', auditPage, verify),
]
