// node bench/compare.mjs DIR [part of a work's name …]: measures this service and that of an earlier, built checkout in
// alternation: the ratio of each round, and its median.
import { resolve } from 'node:path'
import { described, pinSelf } from './machine.mjs'
import { checkout, hasEngine, ours } from './servers.mjs'
import { close, maxRemovals, ownStages } from './stages.mjs'
import { works } from './works.mjs'

const [before, ...parts] = process.argv.slice(2)
if (before === undefined) throw new Error('node bench/compare.mjs DIR: the folder of an earlier checkout, built')
const roots = { now: checkout.root, before: resolve(before) }
const seconds = 2
const rounds = 5
const warmUp = 3
const bounds = { removals: (rounds * seconds + warmUp) * 2 * maxRemovals }

const isChosen = ({ name, stage }) =>
  (stage !== 'signedIn' || haveEngine) &&
  (parts.length === 0 || parts.some((part) => name.toLowerCase().includes(part.toLowerCase())))

const as = async (who, run) => {
  checkout.root = roots[who]
  return run()
}

const middle = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]

const haveEngine = (await Promise.all(Object.keys(roots).map((who) => as(who, hasEngine)))).every(Boolean)

const rows = []
const compare = async (work, series, opened) => {
  const run = (who, length) => as(who, () => work.series[series](opened[who], { seconds: length }))
  const found = []
  if (work.warm) for (const who of Object.keys(roots)) await run(who, warmUp)
  for (let round = 0; round < (work.rounds ?? rounds); round += 1) {
    // The conditions of the machine differ between the first and the second in a round.
    const order = round % 2 === 0 ? ['now', 'before'] : ['before', 'now']
    const figures = {}
    for (const who of order) figures[who] = await run(who, seconds)
    found.push(figures)
  }
  for (const figure of Object.keys(found[0].now).filter((name) =>
    /^rate$|^ms to ready$|MiB when idle|^peak$/.test(name),
  )) {
    const [now, earlier] = ['now', 'before'].map((who) => middle(found.map((each) => each[who][figure])))
    const ratios = found.map((each) => each.now[figure] / each.before[figure])
    const reported = [middle(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(3))
    rows.push(
      `| ${work.name}${series === ours ? '' : `, ${series}`} | ${figure} | ${earlier.toFixed(1)} | ${now.toFixed(1)} | ${reported.join(' | ')} |`,
    )
    console.error(rows.at(-1))
  }
}

pinSelf()
for (const [stage, open] of Object.entries(ownStages)) {
  const chosen = works.filter((work) => work.stage === stage && isChosen(work))
  if (chosen.length === 0) continue
  const opened = {}
  for (const who of Object.keys(roots)) opened[who] = await as(who, () => open(bounds))
  for (const work of chosen)
    for (const series of stage === 'changing' ? Object.keys(work.series) : [ours]) await compare(work, series, opened)
  for (const each of Object.values(opened)) await close(each)
}
console.log(`${described()}; medians of ${rounds} alternating rounds of ${seconds} s\n`)
console.log(
  ['| work | figure | before | now | now ÷ before | least | greatest |', '|---|---|---|---|---|---|---|', ...rows].join(
    '\n',
  ),
)
