// Import and export of clients in docs/operate/year.md: its commands run, and its tables are complete.
import { exportedClient } from '@clientele/domain/importing'
import { suspendedClient } from '@clientele/domain/registration'
import { exampleClient, exampleTime } from '@clientele/testing'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clientFormats } from '../../src/importing/formats.js'
import { run, started } from '../cli/run.js'
import { partOf } from '../support/documented-commands.js'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const document = partOf(readFileSync(at('../../../../docs/operate/year.md'), 'utf8'), '## Import and export of clients')

const Documented = suite('import and export in docs/operate/year.md')

const commands = [...document.matchAll(/^clientele (clients .*)$/gm)].map(([, line = '']) => line.replace(/ \|.*$/, ''))

Documented('every command runs as it is written', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const flags = { 'data-dir': join(directory, 'data'), 'signing-algorithms': 'ES256' }
  await (await started(flags)).stop()
  cpSync(at('../importing/samples/keycloak-realm.json'), join(directory, 'realm.json'))
  const statuses: Array<string> = []
  for (const line of commands) {
    const argv = line.split(' ').map((word) => (/\.(json|ndjson)$/.test(word) ? join(directory, word) : word))
    const { status } = await run([...argv, ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])])
    statuses.push(`${status} ${line}`)
  }
  rmSync(directory, { recursive: true })
  // The realm has a broken client, so that only its valid ones are imported.
  assert.equal(statuses, [
    '0 clients export clients.ndjson',
    '0 clients export clients-with-secrets.ndjson --secrets',
    '0 clients export - --secrets',
    '1 clients import realm.json --from keycloak --dry-run',
    '1 clients import realm.json --from keycloak',
    '0 clients import realm.json --from keycloak --only-valid',
  ])
})

Documented('the table of formats, and that of members, are complete', () => {
  const formats = [...document.matchAll(/^\| `([a-z\d-]+)` \| .* \| kept \|/gm)].map(([, name]) => name)
  assert.equal(formats, Object.keys(clientFormats))
  const client = suspendedClient(exampleTime)(exampleClient('a'))
  const example = { client, last_use: exampleTime }
  for (const member of Object.keys(exportedClient({ secrets: true })(example)))
    assert.match(document, new RegExp(`^\\| .*\`${member}\``, 'm'))
})

Documented.run()
