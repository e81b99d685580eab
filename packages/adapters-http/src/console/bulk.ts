// Changes of all that a search finds: they are counted, confirmed and then made.
import type { Query } from '../http/request.js'
import { type Ask, type ShownRefusal, isDone, listOf, numberOf, refusalOf, textOf } from './asking.js'
import { type Fields, type Section, type Shown, type Visit, parametersOf, pathOf, refusedOn, sections } from './page.js'

export type BulkChange = {
  readonly verb: string
  readonly done: string
  /** What is said before the confirmation, of a change that is not undone. */
  readonly warning?: string
  /** Which of those that a search finds it leaves as they are. */
  readonly note?: string
  /** Whether the change takes a reason. */
  readonly takesReason?: true
}

/** The things of a page that are changed together. */
export type BulkPage = {
  readonly section: Section
  readonly one: string
  readonly several: string
  readonly filterNames: ReadonlyArray<string>
  readonly changes: Readonly<Record<string, BulkChange>>
  /** The route of the operators for a change. */
  readonly path: (change: string) => string
}

// A request ends before a browser or a proxy gives up; the rest is done by the next one.
const patience = 8_000

type Told = {
  readonly changed: number
  readonly unchanged: number
  readonly unreadable: ReadonlyArray<unknown>
  readonly warned: ReadonlyArray<unknown>
}

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
    // Where the store failed within a batch, the answer has what was changed of it as well.
    sum = {
      changed: sum.changed + (numberOf(answered.body, 'changed') ?? 0),
      unchanged: sum.unchanged + (numberOf(answered.body, 'unchanged') ?? 0),
      unreadable: [...sum.unreadable, ...listOf(answered.body, 'unreadable')],
      warned: [...sum.warned, ...listOf(answered.body, 'warned')],
    }
    const next = textOf(answered.body, 'next')
    if (!isDone(answered)) return { told: sum, next: next ?? textOf(step, 'next'), refusal: refusalOf(answered) }
    if (next === undefined || performance.now() > end) return { told: sum, next, refusal: undefined }
    step = { next }
  }
}

/** The page of a change; undefined where the form names none. */
export const changeAll = async (
  { section, one: thing, several, filterNames, changes, path: pathFor }: BulkPage,
  visit: Visit,
  { one }: Fields,
): Promise<Shown | undefined> => {
  const name = one('change')
  const change = Object.hasOwn(changes, name) ? changes[name] : undefined
  if (change === undefined) return undefined
  const filter: Query = parametersOf(
    { query: Object.fromEntries(filterNames.map((each) => [each, [one(each)]])) },
    filterNames,
  )
  const path = pathFor(name)
  const reason = one('reason').trim()
  const body = {
    filter: Object.fromEntries(Object.entries(filter).map(([each, [value = '']]) => [each, value])),
    ...(change.takesReason === true && reason !== '' ? { reason } : {}),
  }
  const shownWith = (data: Readonly<Record<string, unknown>>): Shown => ({
    template: 'bulk',
    title: `${change.verb} many ${several}`,
    data: {
      address: pathOf(section),
      back: sections[section].title.toLowerCase(),
      one: thing,
      several,
      name,
      change,
      filter,
      reason,
      told: undefined,
      count: undefined,
      next: undefined,
      ...data,
    },
  })
  const counting = async (refusal?: ShownRefusal): Promise<Shown> => {
    const counted = await visit.ask('POST', path, { body: { filter: body.filter, dry_run: true } })
    return refusedOn(shownWith({ count: numberOf(counted.body, 'count') }), refusal ?? refusalOf(counted))
  }
  const confirmed = one('count')
  const next = one('next')
  if (confirmed === '' && next === '') return counting()
  const step = next === '' ? { count: Number(confirmed) } : { next }
  const before = { changed: Number(one('changed')), unchanged: Number(one('unchanged')), unreadable: [], warned: [] }
  const { told, next: rest, refusal } = await changeSome(visit.ask, path, body, step, before)
  // Where nothing was changed yet, what the operator confirms is counted anew. After a failure, the rest is counted too.
  if (refusal !== undefined && rest === undefined && told.changed + told.unchanged === 0) return counting(refusal)
  return refusedOn(shownWith({ told, next: rest }), refusal)
}
