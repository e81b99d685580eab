// The first page: what needs the operator, and what happened lately.
import { listOf, memberOf, numberOf, textOf } from './asking.js'
import { type Page, type Shown, type Visit, pageOf } from './page.js'

const soon = 7 * 86_400

/** Something that waits for the operator, with the page on which it is done, if there is one. */
type Need = {
  readonly text: string
  readonly href?: string
  readonly link?: string
  /** The service does it by itself. */
  readonly isNews?: true
}

const counted = (number: number, more: boolean, one: string, many: string): string =>
  `${number}${more ? ' or more' : ''} ${number === 1 && !more ? one : many}`

const ifAny = (number: number, need: Need): ReadonlyArray<Need> => (number === 0 ? [] : [need])

const approvals = async ({ ask, may }: Visit): Promise<ReadonlyArray<Need>> => {
  if (!may('clients:read')) return []
  const { body } = await ask('GET', '/manage/v1/clients', { query: { state: ['pending'], limit: ['100'] } })
  const waiting = listOf(body, 'clients').length
  return ifAny(waiting, {
    text: `${counted(waiting, memberOf(body, 'next') !== undefined, 'client waits', 'clients wait')} for your approval`,
    href: '/console/approvals',
    link: 'Decide about them',
  })
}

const removals = async ({ ask, may }: Visit): Promise<ReadonlyArray<Need>> => {
  if (!may('clients:read')) return []
  const { body } = await ask('GET', '/manage/v1/removals', { query: { limit: ['1'] } })
  const announced = numberOf(memberOf(body, 'announced'), 'clients') ?? 0
  return ifAny(announced, {
    text: `The service will remove ${counted(announced, false, 'client', 'clients')} by itself, as its settings say`,
    href: '/console/removals',
    link: 'See when, and what can be restored',
  })
}

const deliveries = async ({ ask, may }: Visit): Promise<ReadonlyArray<Need>> => {
  if (!may('deliveries')) return []
  const { body } = await ask('GET', '/logouts')
  const failed = listOf(body, 'notices').filter((each) => textOf(each, 'state') === 'failed').length
  return ifAny(failed, {
    text: `${counted(failed, false, 'logout notification was', 'logout notifications were')} given up`,
    href: '/console/deliveries',
    link: 'See why, and send them again',
  })
}

const keys = async ({ ask, may }: Visit, now: number): Promise<ReadonlyArray<Need>> => {
  if (!may('keys')) return []
  const { body } = await ask('GET', '/keys')
  const due = listOf(body, 'keys').filter((key) => {
    const at = numberOf(key, 'next_at') ?? Infinity
    return at - now < soon && textOf(key, 'next') !== 'is forgotten'
  }).length
  return ifAny(due, {
    text: `${counted(due, false, 'key changes', 'keys change')} within a week, by the schedule: nothing to do`,
    href: '/console/keys',
    link: 'See the calendar',
    isNews: true,
  })
}

const health = async ({ ask }: Visit): Promise<ReadonlyArray<Need>> => {
  const { body } = await ask('GET', '/health/ready')
  return listOf(body, 'checks')
    .filter((check) => textOf(check, 'status') !== 'ok')
    .map((check) => ({
      text: ['Not well', textOf(check, 'name'), textOf(check, 'detail')]
        .filter((part) => part !== undefined)
        .join(': '),
    }))
}

const latest = async ({ ask, may }: Visit): Promise<ReadonlyArray<unknown>> =>
  may('audit') ? listOf((await ask('GET', '/manage/v1/audit', { query: { limit: ['8'] } })).body, 'rows') : []

export const overviewPage = (now: () => number): Page =>
  pageOf('overview', async (visit): Promise<Shown> => {
    const [needs, rows] = await Promise.all([
      Promise.all([health(visit), approvals(visit), deliveries(visit), removals(visit), keys(visit, now())]),
      latest(visit),
    ])
    return { template: 'overview', title: 'Overview', data: { needs: needs.flat(), rows } }
  })
