import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { post, run, started } from '../cli/run.js'

type World = { parent: string; directory: string; file: string; flags: Readonly<Record<string, string>> }

const database = suite<World>('a database elsewhere')

database.before.each((context) => {
  context.parent = mkdtempSync(join(tmpdir(), 'clientele-'))
  context.directory = join(context.parent, 'data')
  context.file = join(context.parent, 'elsewhere', 'store.db')
  context.flags = {
    'data-dir': context.directory,
    'database-url': `sqlite://${context.file}`,
    'allow-open-registration': 'true',
  }
})
database.after.each(({ parent }) => rmSync(parent, { recursive: true }))

const given = (flags: World['flags']): ReadonlyArray<string> =>
  Object.entries(flags).map(([name, value]) => `--${name}=${value}`)

database('is used by the service and by commands, with it and without', async ({ directory, file, flags }) => {
  const service = await started(flags)
  const registered = await post(`${service.url}/clients`, '', { redirect_uris: ['https://rp.example/cb'] })
  const running = await run(['keys', 'list', '--json', ...given(flags)])
  await service.stop()
  const stopped = await run(['keys', 'list', '--json', ...given(flags)])
  assert.is(registered.status, 200)
  assert.equal(JSON.parse(stopped.output), JSON.parse(running.output))
  assert.ok(existsSync(file))
  assert.not.ok(readdirSync(directory).includes('clientele.db'))
  assert.ok(readdirSync(directory).includes('encryption-key'))
})

database('that is missing is told by its own setting', async ({ file, flags }) => {
  const { status, errors } = await run(['keys', 'list', ...given(flags)])
  assert.is(status, 1)
  assert.is(errors, `clientele: ${file} does not exist: start the service once, or correct database-url\n`)
})

database('that another data-dir serves is told to be in use', async ({ parent, file, flags }) => {
  const service = await started(flags)
  const other = { ...flags, 'data-dir': join(parent, 'other'), 'encryption-key': 'A'.repeat(43) }
  const { status, errors } = await run(['keys', 'list', ...given(other)])
  await service.stop()
  assert.is(status, 1)
  assert.is(
    errors,
    'clientele: the data is in use by another command, or by a service that is just starting or stopping: try again, ' +
      `or name the data-dir of the service that has ${file}\n`,
  )
})

database('has one instance, of which there is no list, with the service and without', async ({ flags }) => {
  const service = await started(flags)
  const running = await run(['instances', 'list', ...given(flags)])
  await service.stop()
  const stopped = await run(['instances', 'list', ...given(flags)])
  for (const { status, errors } of [running, stopped]) {
    assert.is(status, 1)
    assert.match(errors, 'a SQLite database belongs to one service')
  }
})

database.run()
