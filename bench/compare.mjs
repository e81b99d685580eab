// node bench/compare.mjs DIR [part of a work's name …]: measures this service and that of an earlier, built checkout in
// turns: the median of the ratios, the least and the greatest.
import { resolve } from 'node:path'
import { described, pinSelf } from './machine.mjs'
import { checkout, hasEngine, ours, oursWithEngine } from './servers.mjs'
import { close, maxRemovals, ownStages } from './stages.mjs'
import { works } from './works.mjs'

const [before, ...parts] = process.argv.slice(2)
if (before === undefined) throw new Error('node bench/compare.mjs DIR: the folder of an earlier checkout, built')
const roots = { now: checkout.root, before: resolve(before) }
const seconds = 4
const repetitions = Number(process.env.REPETITIONS ?? 8)
const warmUp = 3
const bounds = { removals: (seconds + warmUp) * 2 * maxRemovals }

const isChosen = ({ name, stage }) =>
  (stage !== 'signedIn' || haveEngine) &&
  (parts.length === 0 || parts.some((part) => name.toLowerCase().includes(part.toLowerCase())))

const as = async (who, run) => {
  checkout.root = roots[who]
  return run()
}

const middle = (numbers) => {
  const sorted = [...numbers].sort((one, other) => one - other)
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.floor(sorted.length / 2)]) / 2
}

const haveEngine = (await Promise.all(Object.keys(roots).map((who) => as(who, hasEngine)))).every(Boolean)

const isOurs = (series) => series === ours || (series === oursWithEngine && haveEngine)
const seriesOf = ({ stage, series }) =>
  stage === 'changing' ? Object.keys(series) : Object.keys(series).filter((name) => isOurs(name))
const nameOf = ({ name }, series) => `${name}${series === ours ? '' : `, ${series}`}`

const measured = new Map()
const note = (name, repetition, who, figures) => {
  const found = measured.get(name) ?? measured.set(name, []).get(name)
  found[repetition] = { ...found[repetition], [who]: figures }
}

// A process may be faster than another of the same program for all of its life, and works on when its answers are sent:
// each measurement has a server of its own, and no other runs.
const measure = async (open, chosen, repetition, who) => {
  const opened = await open(bounds)
  for (const work of chosen)
    for (const series of seriesOf(work)) {
      const run = (length) => work.series[series](opened, { seconds: length })
      if (work.warm) await run(warmUp)
      note(nameOf(work, series), repetition, who, await run(seconds))
    }
  await close(opened)
}

const rowsOf = ([name, found]) =>
  Object.keys(found[0].now)
    .filter((figure) => /^rate$|^ms to ready$|MiB when idle|^peak$|^µs of a core$/.test(figure))
    .map((figure) => {
      const [now, earlier] = ['now', 'before'].map((who) => middle(found.map((each) => each[who][figure])))
      const ratios = found.map((each) => each.now[figure] / each.before[figure])
      const reported = [middle(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(3))
      return `| ${name} | ${figure} | ${earlier.toFixed(1)} | ${now.toFixed(1)} | ${reported.join(' | ')} |`
    })

pinSelf()
for (const [stage, open] of Object.entries(ownStages)) {
  const chosen = works.filter((work) => work.stage === stage && isChosen(work))
  for (let repetition = 0; chosen.length > 0 && repetition < repetitions; repetition += 1)
    // The conditions of the machine differ between the first and the second.
    for (const who of repetition % 2 === 0 ? ['now', 'before'] : ['before', 'now'])
      await as(who, () => measure(open, chosen, repetition, who))
}
const head = ['| work | figure | before | now | now ÷ before | least | greatest |', '|---|---|---|---|---|---|---|']
console.log(
  `${described()}; medians of ${repetitions} measurements of ${seconds} s each, in turns, each of a new server\n`,
)
console.log([...head, ...[...measured].flatMap(rowsOf)].join('\n'))
