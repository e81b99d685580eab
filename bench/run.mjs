// npm run bench [-- --quick] [-- --million] [-- --list] [-- part of a work's name …]: measures this service, the
// baseline with the same I/O, and oidc-provider, in alternation on one core; the load runs on the other.
import { writeFileSync } from 'node:fs'
import { described, pinSelf } from './machine.mjs'
import { close, maxRemovals, stages } from './stages.mjs'
import { figuresTable, targetsTable } from './table.mjs'
import { works as all } from './works.mjs'

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'))
const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = flags.filter((flag) => !['--quick', '--million', '--list'].includes(flag))
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: --quick, --million and --list are known`)
const [quick, million] = ['--quick', '--million'].map((flag) => flags.includes(flag))

const isChosen = ({ name, stage, quick: isQuick = true }) =>
  (parts.length === 0 ? isQuick || !quick : parts.some((part) => name.toLowerCase().includes(part.toLowerCase()))) &&
  (million || stage !== 'million')
const chosen = all.filter(isChosen)

// A server is several times slower until its code is compiled, on the same core.
const [seconds, rounds, warmUp] = quick ? [2, 1, 2] : [3, 5, 4]
const removing = chosen.filter(({ stage }) => stage === 'changing').length
const bounds = { removals: (rounds * Math.min(seconds, 3) + Math.min(warmUp, 3)) * removing * maxRemovals }
const maxMinutes = 20

const inTime = (promise) => {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${maxMinutes} minutes`)), maxMinutes * 60_000)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

const say = (text) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)

const results = new Map()
const failures = new Map()

// A failure omits its own figures only.
const attempt = async (names, run) => {
  try {
    return await inTime(run())
  } catch (error) {
    say(`failed: ${names.join('; ')}: ${error.stack}`)
    for (const name of names) failures.set(name, error.message)
  }
}

const runOnce = async (work, who, stage, round) => {
  const figures = await work.series[who](stage, { seconds })
  if (figures === undefined) return
  const [figure, number] = Object.entries(figures)[0]
  say(`${work.name}: ${who}, ${number.toFixed(1)} ${figure === 'rate' ? 'a second' : figure} (round ${round})`)
  return figures
}

const measure = async (work, stage) => {
  const runs = new Map()
  const failureOf = (who) => `${work.name}: ${who}`
  const serialize = async (run) => {
    for (const who of Object.keys(work.series).filter((each) => !failures.has(failureOf(each)))) {
      const figures = await attempt([failureOf(who)], () => run(who))
      if (figures !== undefined) runs.set(who, [...(runs.get(who) ?? []), figures])
    }
  }
  // All of them before the first round, because several works may share one server.
  if (work.warm) await serialize(async (who) => void (await work.series[who](stage, { seconds: warmUp })))
  for (let round = 1; round <= (work.rounds ?? rounds); round += 1)
    await serialize((who) => runOnce(work, who, stage, round))
  const reported = [...runs].filter(([who]) => !failures.has(failureOf(who)))
  results.set(work.name, Object.fromEntries(reported))
}

const measureStage = async (name) => {
  const works = chosen.filter((work) => work.stage === name)
  if (works.length === 0) return
  const names = works.map((work) => work.name)
  const stage = await attempt(names, () => stages[name](bounds))
  if (stage === undefined) return
  for (const work of works) await measure(work, stage)
  await close(stage)
}

const report = () =>
  [
    '# Measured side by side',
    '',
    `\`npm run bench${flags.map((flag) => ` ${flag}`).join('')}\`: ${described()}, loopback; medians of ${rounds} run(s) of ${seconds} s, in alternation; every response was successful.`,
    'A ratio is the median of the ratios of all rounds, because the conditions of the machine change within minutes; rounds has the least and the greatest.',
    'Every SQLite has `synchronous=FULL`: acknowledged writes are on disk. The ratios are comparable; the other figures depend on the machine.',
    '`limit` is the baseline, a minimal program with the same I/O (`bench/subjects/limit.mjs`): it validates nothing, seals nothing and checks no token.',
    '',
    ...figuresTable(results, failures),
    '',
    '## Targets',
    '',
    ...targetsTable(results),
    '',
  ].join('\n')

if (flags.includes('--list'))
  console.log(all.map(({ name, stage }) => `${name}${stage === 'million' ? ' (--million)' : ''}`).join('\n'))
else {
  pinSelf()
  const began = performance.now()
  for (const name of Object.keys(stages)) await measureStage(name)
  say(`measured in ${Math.round((performance.now() - began) / 60_000)} minutes`)
  console.log(report())
  if (!quick && parts.length === 0) writeFileSync(new URL('../docs/bench.md', import.meta.url), report())
}
process.exit(failures.size > 0 ? 1 : 0)
