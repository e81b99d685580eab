// node tools/mutation/mutate.mjs [folder or file of packages/domain/src …]: plants small faults in the decisions, one
// after another, and reports those that no test notices; without arguments in authorization/ and client/, which takes long.
// node tools/mutation/mutate.mjs laws: finds the faults that each law of authorization notices, for docs/reuse/test-your-rules.md#all-laws.
import { changeOf, tryMutants } from './stryker.mjs'

const wanted = process.argv.slice(2)

const counted = (mutants, ...states) => mutants.filter(({ status: state }) => states.includes(state)).length
const score = (mutants) => {
  const dead = counted(mutants, 'Killed', 'Timeout')
  const alive = counted(mutants, 'Survived', 'NoCoverage')
  return dead + alive === 0 ? 100 : (100 * dead) / (dead + alive)
}
const row = (name, mutants) =>
  console.log(
    `| ${name} | ${counted(mutants, 'Killed', 'Timeout')} | ${counted(mutants, 'Survived', 'NoCoverage')} | ${score(mutants).toFixed(1)} % |`,
  )

const mutateDecisions = (parts) => {
  const { files } = tryMutants({
    mutate: [
      ...parts.map((part) => (part.endsWith('.ts') ? `src/${part}` : `src/${part}/**/*.ts`)),
      // A table of texts and references, which the test of its generated document checks.
      '!src/client/members.ts',
    ],
    runs: 30,
  })
  console.log('| file | killed | survived | score |\n|---|---|---|---|')
  for (const [name, { mutants }] of Object.entries(files)) row(name, mutants)
  const all = Object.values(files).flatMap(({ mutants }) => mutants)
  row('**all**', all)

  for (const [name, { mutants, source }] of Object.entries(files))
    for (const mutant of mutants)
      if (mutant.status === 'Survived' || mutant.status === 'NoCoverage')
        console.log(
          `${name}:${mutant.location.start.line} ${mutant.mutatorName}: ${changeOf(source, mutant).join('  →  ')}`,
        )
  process.exitCode = all.length === 0 || score(all) < 90 ? 1 : 0
}

if (wanted[0] === 'laws') await import('./laws.mjs')
else mutateDecisions(wanted.length === 0 ? ['authorization', 'client'] : wanted)
