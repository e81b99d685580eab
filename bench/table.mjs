// The figures and the targets as Markdown. `results`: by the name of the work and of the series, the figures of each
// round.
import { ours } from './servers.mjs'
import { targets } from './targets.mjs'
import { doubts } from './watch.mjs'

const row = (cells) => `| ${cells.join(' | ')} |`
const head = (names) => [row(names), row(names.map(() => '---'))]

const whole = (number) => (number === undefined ? '' : Math.round(number).toLocaleString('en'))
const exact = (number) => (number === undefined ? '' : number.toFixed(number < 10 ? 2 : 1))

const middle = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]
const medians = (rounds) =>
  Object.fromEntries(Object.keys(rounds[0]).map((figure) => [figure, middle(rounds.map((round) => round[figure]))]))

const columns = ['rate', 'p50', 'p99', 'peak']
const isWorthTelling = (name, number) =>
  !columns.includes(name) && number !== undefined && number > (doubts[name] ?? -Infinity)
const others = (figures) =>
  Object.entries(figures)
    .filter(([name, number]) => isWorthTelling(name, number))
    .map(([name, number]) => `${exact(number)} ${name}`)
    .join(', ')

const seriesRow =
  (work) =>
  ([name, rounds]) => {
    const figures = medians(rounds)
    const { rate, p50, p99, peak } = figures
    return row([work, name, whole(rate), exact(p50), exact(p99), whole(peak), others(figures)])
  }

export const figuresTable = (results, failures) => [
  ...head(['work', 'who', 'a second', 'p50 ms', 'p99 ms', 'peak MiB', 'more']),
  ...[...results].flatMap(([work, series]) => Object.entries(series).map(seriesRow(work))),
  ...[...failures].map(([work, reason]) => row([work, 'failed', '', '', '', '', reason.replace(/\s+/g, ' ')])),
]

// Computed for each round, because the conditions of the machine change within minutes.
const measured = ({ series = ours, figure, of }, figures) => {
  const own = figures[series] ?? []
  const others = of === undefined ? undefined : (figures[of] ?? [])
  return own
    .map((round, index) => (others === undefined ? round[figure] : round[figure] / others[index]?.[figure]))
    .filter(Number.isFinite)
}

const verdict = ({ least = -Infinity, most = Infinity }, value) =>
  value >= least && value <= most ? 'reached' : '**missed**'

const span = (from, to) => (from === to ? '' : `${exact(from)} to ${exact(to)}`)

const bound = ({ least, most }) => (most === undefined ? `≥ ${least}` : `≤ ${most}`)

const named = ({ series, figure, unit, of }) => {
  const name = figure === 'rate' ? 'rate' : [figure, unit].filter(Boolean).join(' ')
  return [series, name, of === undefined ? undefined : `÷ ${of}`].filter(Boolean).join(' ')
}

const targetRows = (results) => (target) => {
  const works = [...results].filter(([work]) => work.startsWith(target.work))
  if (works.length === 0) return [row([target.work.trim(), named(target), bound(target), '', '', 'not measured'])]
  return works.map(([work, figures]) => {
    const values = measured(target, figures)
    const value = middle(values)
    const from = Math.min(...values)
    const to = Math.max(...values)
    const reported =
      value === undefined ? ['', '', 'not measured'] : [exact(value), span(from, to), verdict(target, value)]
    return row([work, named(target), bound(target), ...reported])
  })
}

export const targetsTable = (results) => [
  ...head(['work', 'what', 'target', 'measured', 'rounds', '']),
  ...targets.flatMap(targetRows(results)),
]
