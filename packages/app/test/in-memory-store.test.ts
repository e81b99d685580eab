// The complete service over a store in memory: two services on one store, like two instances.
import { emptyState, openInMemoryStore } from '@clientele/adapters-memory'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { post, started } from './cli/run.js'

const memory = suite<{ directories: readonly [string, string] }>('a service over a store in memory')

const masterToken = 'the-master-token-of-both-services-in-this-test'

memory.before.each((context) => {
  const directory = (): string => mkdtempSync(join(tmpdir(), 'clientele-'))
  context.directories = [directory(), directory()]
})
memory.after.each(({ directories }) => directories.forEach((each) => rmSync(each, { recursive: true })))

memory('a client that one service registers is read, listed and removed by the other', async ({ directories }) => {
  const openStore = openInMemoryStore(emptyState())
  const services = await Promise.all(
    directories.map((directory) => started({ 'data-dir': directory, 'master-token': masterToken }, { openStore })),
  )
  const [one, other] = services
  if (one === undefined || other === undefined) throw new Error('two services were started')
  const registered = await post(`${one.url}/clients`, masterToken, { redirect_uris: ['https://rp.example/cb'] })
  assert.is(registered.status, 200)
  const { client_id, registration_access_token } = (await registered.json()) as Readonly<Record<string, string>>
  const requested = (method: string) =>
    fetch(`${other.url}/clients/${client_id}`, {
      method,
      headers: { Authorization: `Bearer ${registration_access_token}` },
    })
  const read = (await (await requested('GET')).json()) as Readonly<Record<string, string>>
  assert.is(read['client_id'], client_id)
  assert.is((await requested('DELETE')).status, 204)
  assert.is((await requested('GET')).status, 401)
  for (const { stop } of services) await stop()
  for (const directory of directories) assert.not.ok(existsSync(join(directory, 'clientele.db')))
})

memory.run()
