// The list of clients, and changes of all that a search finds: they are counted, confirmed and then made.
import type { Query } from '../http/request.js'
import { type Ask, type ShownRefusal, isDone, listOf, numberOf, refusalOf, textOf } from './asking.js'
import {
  type Fields,
  type Page,
  type Shown,
  type Visit,
  addressOf,
  pageOf,
  parameterOf,
  parametersOf,
  refusedOn,
} from './page.js'

const filterNames = ['q', 'state', 'origin', 'registered_by', 'software_id', 'since', 'idle_since', 'declared']
const pageSize = '50'

const listPage = async (visit: Visit): Promise<Shown> => {
  const filter = parametersOf(visit, filterNames)
  const after = parametersOf(visit, ['after'])
  const found = await visit.ask('GET', '/manage/v1/clients', { query: { ...filter, ...after, limit: [pageSize] } })
  const next = textOf(found.body, 'next')
  const shown: Shown = {
    template: 'clients',
    title: 'Clients',
    data: {
      clients: listOf(found.body, 'clients'),
      filter: Object.fromEntries(filterNames.map((name) => [name, parameterOf(visit, name)])),
      isFiltered: Object.keys(filter).length > 0,
      next: next === undefined ? undefined : addressOf('/console/clients', { ...filter, after: [next] }),
      first: Object.keys(after).length > 0 ? addressOf('/console/clients', filter) : undefined,
    },
  }
  return refusedOn(shown, refusalOf(found))
}

const changes = {
  suspension: { verb: 'Suspend', done: 'suspended' },
  resumption: { verb: 'Resume', done: 'resumed' },
  approval: { verb: 'Approve', done: 'approved' },
  refusal: { verb: 'Refuse', done: 'refused' },
  removal: { verb: 'Delete', done: 'deleted' },
} as const

type Change = keyof typeof changes

const isChange = (text: string): text is Change => Object.hasOwn(changes, text)

// A request ends before a browser or a proxy gives up; the rest is done by the next one.
const patience = 8_000

type Told = { readonly changed: number; readonly unchanged: number }

/** Goes on batch after batch, until all are changed or the time is over. */
const changeSome = async (
  ask: Ask,
  path: string,
  body: Readonly<Record<string, unknown>>,
  first: Readonly<Record<string, unknown>>,
  told: Told,
): Promise<{ readonly told: Told; readonly next: string | undefined; readonly refusal: ShownRefusal | undefined }> => {
  const end = performance.now() + patience
  let sum = told
  let step = first
  for (;;) {
    const answered = await ask('POST', path, { body: { ...body, ...step } })
    if (!isDone(answered)) return { told: sum, next: textOf(step, 'next'), refusal: refusalOf(answered) }
    sum = {
      changed: sum.changed + (numberOf(answered.body, 'changed') ?? 0),
      unchanged: sum.unchanged + (numberOf(answered.body, 'unchanged') ?? 0),
    }
    const next = textOf(answered.body, 'next')
    if (next === undefined || performance.now() > end) return { told: sum, next, refusal: undefined }
    step = { next }
  }
}

const changeAll = async (visit: Visit, { one }: Fields): Promise<Shown> => {
  const change = one('change')
  if (!isChange(change)) return listPage(visit)
  const filter: Query = parametersOf(
    { query: Object.fromEntries(filterNames.map((name) => [name, [one(name)]])) },
    filterNames,
  )
  const path = `/manage/v1/clients/${change}`
  const reason = one('reason').trim()
  const body = {
    filter: Object.fromEntries(Object.entries(filter).map(([name, [value = '']]) => [name, value])),
    ...(change === 'refusal' && reason !== '' ? { reason } : {}),
  }
  const shownWith = (data: Readonly<Record<string, unknown>>): Shown => ({
    template: 'bulk',
    title: `${changes[change].verb} many clients`,
    data: { change, ...changes[change], filter, reason, told: undefined, count: undefined, next: undefined, ...data },
  })
  const counting = async (refusal?: ShownRefusal): Promise<Shown> => {
    const counted = await visit.ask('POST', path, { body: { filter: body.filter, dry_run: true } })
    return refusedOn(shownWith({ count: numberOf(counted.body, 'count') }), refusal ?? refusalOf(counted))
  }
  const confirmed = one('count')
  const next = one('next')
  if (confirmed === '' && next === '') return counting()
  const step = next === '' ? { count: Number(confirmed) } : { next }
  const before = { changed: Number(one('changed')), unchanged: Number(one('unchanged')) }
  const { told, next: rest, refusal } = await changeSome(visit.ask, path, body, step, before)
  // Where nothing was changed yet, what the operator confirms is counted anew. After a failure, the rest is counted too.
  if (refusal !== undefined && rest === undefined && told.changed + told.unchanged === 0) return counting(refusal)
  return refusedOn(shownWith({ told, next: rest }), refusal)
}

export const clientListPage: Page = pageOf('clients', listPage, changeAll)
