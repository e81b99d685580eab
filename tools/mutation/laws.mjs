// Finds the mutants of the authorization rules that each law kills, alone or among others, and those that no law kills:
// writes docs/reuse/laws.mutants.json, the source of docs/reuse/test-your-rules.md#all-laws.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compile } from '../build.mjs'
import { changeOf, tryMutants } from './stryker.mjs'

const { passed, output } = compile()
if (!passed) throw new Error(output)
const { authorizationLaws } = await import('../../packages/testing/dist/index.js')

const { files, testFiles } = tryMutants({
  mutate: ['src/authorization/**/*.ts', 'src/registration/configuration.ts', 'src/registration/permit.ts'],
  tests: 'authorization/laws.test.ts',
  everyKiller: true,
  runs: 100,
})

const names = new Map(Object.values(testFiles).flatMap(({ tests }) => tests.map(({ id, name }) => [id, name])))
const idOf = new Map(authorizationLaws.map(({ id, statement }) => [`authorization: ${statement}`, id]))

const mutants = Object.entries(files).flatMap(([file, { mutants, source }]) =>
  mutants
    .filter(({ status }) => ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status))
    .map((mutant) => ({
      // Without the line, which the next change of the file moves.
      at: file.replace(/^.*\//, ''),
      change: changeOf(source, mutant)
        .map((text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text))
        .join(' → '),
      lives: ['Survived', 'NoCoverage'].includes(mutant.status),
      killedBy: new Set((mutant.killedBy ?? []).map((test) => idOf.get(names.get(test) ?? test))),
    })),
)

// Mutants are numbered, because many laws kill the same ones.
const result = {
  mutants: mutants.map(({ at, change }) => `${at} ${change}`),
  survivors: mutants.flatMap(({ lives }, number) => (lives ? [number] : [])),
  killedBy: Object.fromEntries(
    authorizationLaws.map(({ id }) => [
      id,
      mutants.flatMap(({ killedBy }, number) => (killedBy.has(id) ? [number] : [])),
    ]),
  ),
}
const numbersInOneLine = (text) =>
  text.replace(/\[\s+([\d,\s]*?)\s+\]/g, (_, inner) => `[${inner.replace(/\s+/g, ' ')}]`)
const file = fileURLToPath(new URL('../../docs/reuse/laws.mutants.json', import.meta.url))
writeFileSync(file, `${numbersInOneLine(JSON.stringify(result, null, 2))}\n`)
console.log(`${mutants.length} mutants, of which ${result.survivors.length} live: ${file}`)
// The package's own test files make the document, with their types.
const { status } = spawnSync(
  'node',
  ['--import', 'tsx', '--conditions=@clientele/source', 'test/write-laws-document.ts'],
  {
    cwd: fileURLToPath(new URL('../../packages/testing', import.meta.url)),
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1
