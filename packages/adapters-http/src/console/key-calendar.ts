// The calendar of the keys as a picture: when each is announced, in use and forgotten, and what changes next.
import { listOf, numberOf, textOf } from './asking.js'

const day = 86_400
/** Of the picture, in its own units. */
const width = 960
const labels = 210
const rowHeight = 40
const head = 28

type Bar = { readonly x: number; readonly width: number; readonly kind: string }

type Row = {
  readonly y: number
  readonly label: string
  readonly bars: ReadonlyArray<Bar>
}

export type Calendar = {
  readonly width: number
  readonly height: number
  readonly now: number
  readonly rows: ReadonlyArray<Row>
  readonly marks: ReadonlyArray<{ readonly x: number; readonly at: number }>
}

const clamp = (value: number, from: number, to: number): number => Math.min(to, Math.max(from, value))

type Span = { readonly kind: string; readonly start: number; readonly end: number }

/** The phases of a key: the present one, and those that are known before and after it. */
const spansOf = (key: unknown, now: number, to: number): ReadonlyArray<Span> => {
  const phase = textOf(key, 'phase') ?? ''
  const start = numberOf(key, 'since') ?? now
  const end = numberOf(key, 'next_at') ?? to
  const present = { kind: phase, start, end }
  const current = textOf(key, 'use') === 'enc' ? 'published' : 'signing'
  if (phase === 'announced') return [present, { kind: current, start: end, end: to }]
  if (phase !== current) return [present]
  const forgotten = numberOf(key, 'forgotten_at')
  const before = { kind: 'announced', start: numberOf(key, 'published_at') ?? start, end: start }
  const after =
    forgotten === undefined ? { kind: current, start: end, end: to } : { kind: 'retired', start: end, end: forgotten }
  return [before, present, after]
}

/** The keys of `GET /keys` as a picture of the days around now. */
export const keyCalendar = (body: unknown, now: number): Calendar | undefined => {
  const keys = listOf(body, 'keys')
  if (keys.length === 0) return undefined
  const times = keys.flatMap((key) =>
    ['since', 'next_at', 'forgotten_at'].flatMap((name) => {
      const at = numberOf(key, name)
      return at === undefined ? [] : [at]
    }),
  )
  const from = clamp(Math.min(...times, now), now - 60 * day, now - day)
  const to = clamp(Math.max(...times, now), now + 7 * day, now + 180 * day)
  const x = (at: number): number =>
    Math.round(labels + ((clamp(at, from, to) - from) / (to - from)) * (width - labels - 10))
  const bar = ({ kind, start, end }: Span): ReadonlyArray<Bar> =>
    end <= from || start >= to || end <= start ? [] : [{ kind, x: x(start), width: Math.max(2, x(end) - x(start)) }]
  const rows = keys.map((key, index): Row => ({
    y: head + index * rowHeight,
    label: `${textOf(key, 'alg') ?? ''} ${(textOf(key, 'kid') ?? '').slice(0, 8)}`,
    bars: spansOf(key, now, to).flatMap(bar),
  }))
  const step = Math.max(1, Math.ceil((to - from) / day / 6)) * day
  const marks = Array.from({ length: 6 }, (_, index) => now + (index - 1) * step)
    .filter((at) => at >= from && at <= to)
    .map((at) => ({ x: x(at), at }))
  return { width, height: head + rows.length * rowHeight + 8, now: x(now), rows, marks }
}
