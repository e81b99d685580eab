// The figures and the targets as Markdown. `results`: by the work's name, by the series' name, the median of each figure.
import { ours } from './servers.mjs'
import { targets } from './targets.mjs'
import { doubts } from './watch.mjs'

const row = (cells) => `| ${cells.join(' | ')} |`
const head = (names) => [row(names), row(names.map(() => '---'))]

const whole = (number) => (number === undefined ? '' : Math.round(number).toLocaleString('en'))
const exact = (number) => (number === undefined ? '' : number.toFixed(number < 10 ? 2 : 1))

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
  ([name, figures]) =>
    row([work, name, whole(figures.rate), exact(figures.p50), exact(figures.p99), whole(figures.peak), others(figures)])

export const figuresTable = (results, failures) => [
  ...head(['work', 'who', 'a second', 'p50 ms', 'p99 ms', 'peak MiB', 'more']),
  ...[...results].flatMap(([work, series]) => Object.entries(series).map(seriesRow(work))),
  ...[...failures].map(([work, reason]) => row([work, 'failed', '', '', '', '', reason.replace(/\s+/g, ' ')])),
]

const measured = ({ series = ours, figure, of }, figures) => {
  const [value, divisor] = [figures[series]?.[figure], of === undefined ? 1 : figures[of]?.[figure]]
  return value === undefined || divisor === undefined ? undefined : value / divisor
}

const verdict = ({ least = -Infinity, most = Infinity }, value) =>
  value >= least && value <= most ? 'reached' : '**missed**'

const bound = ({ least, most }) => (most === undefined ? `≥ ${least}` : `≤ ${most}`)

const named = ({ series, figure, unit, of }) => {
  const name = figure === 'rate' ? 'rate' : [figure, unit].filter(Boolean).join(' ')
  return [series, name, of === undefined ? undefined : `÷ ${of}`].filter(Boolean).join(' ')
}

const targetRows = (results) => (target) => {
  const works = [...results].filter(([work]) => work.startsWith(target.work))
  if (works.length === 0) return [row([target.work.trim(), named(target), bound(target), '', 'not measured'])]
  return works.map(([work, figures]) => {
    const value = measured(target, figures)
    const told = value === undefined ? ['', 'not measured'] : [exact(value), verdict(target, value)]
    return row([work, named(target), bound(target), ...told])
  })
}

export const targetsTable = (results) => [
  ...head(['work', 'what', 'target', 'measured', '']),
  ...targets.flatMap(targetRows(results)),
]
