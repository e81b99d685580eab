// npm run walk: compares the traces of requests through the composed service with their documents.
// `--write` regenerates the tables of the documents; the name of a request prints all of its steps.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../packages.mjs'
import { documentOf, withoutText } from './document.mjs'
import { enteredDuring, requests, withService } from './requests.mjs'
import { walkOf } from './walk.mjs'

/** The document that describes a request, and how often it enters the shell of Koa. */
const expectations = {
  'POST /clients': { document: 'docs/walk-post-clients.md', shellEntries: 6 },
  'PUT /clients/{id}': { shellEntries: 6 },
  'GET /clients/{id}': { document: 'docs/walk-get-client.md' },
  'GET /logout': { document: 'docs/walk-get-logout.md' },
  'GET /jwks.json': {},
}

const koaShell = 'packages/adapters-http/src/koa-shell.ts'

const compareDocument = (path, walk) => {
  const text = readFileSync(join(root, path), 'utf8')
  const traced = documentOf(text, walk)
  if (process.argv.includes('--write')) writeFileSync(join(root, path), traced)
  else if (traced !== text) return [`${path} is not what was traced: npm run generate`]
  return withoutText(traced).map((file) => `${path} does not say what happens in ${file}`)
}

const faultsOf = (name, walk) => {
  const { document, shellEntries = 4 } = expectations[name]
  return [
    ...(walk.entriesOf(koaShell) === shellEntries
      ? []
      : [`${name} enters ${koaShell} ${walk.entriesOf(koaShell)} times; ${shellEntries} is right`]),
    ...(document === undefined ? [] : compareDocument(document, walk)),
  ]
}

// What the store does for a timer of the service may serve the request as well, and is then not in its walk.
const longestOf = async (sends) => {
  const walks = []
  for (const send of sends) walks.push(walkOf(await enteredDuring(send)))
  // The first request compiles what later ones find.
  return walks.slice(1).sort((one, other) => other.functions - one.functions)[0]
}

const faults = []
await withService(async (service) => {
  for (const [name, prepare] of Object.entries(requests)) {
    const walk = await longestOf(await Promise.all(Array.from({ length: 5 }, () => prepare(service))))
    console.log(`${name}: ${walk.functions} functions, ${walk.files} files, ${walk.hops} steps from file to file`)
    if (process.argv.includes(name)) console.log(walk.steps.map(({ file, name }) => `  ${file} ${name}`).join('\n'))
    faults.push(...faultsOf(name, walk))
  }
})
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
