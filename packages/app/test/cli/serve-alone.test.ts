// A service starts without the other commands: its command line must mean the same without them.
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runsService } from '../../src/cli/program.js'
import { serveCommand } from '../../src/cli/serve.js'
import { callOf } from '../support/silent-program.js'

const Alone = suite('serve without the other commands')
const alone = { commands: [serveCommand], groups: {} }

const services: ReadonlyArray<ReadonlyArray<string>> = [
  [],
  ['serve'],
  ['--port', '9000'],
  ['--port=9000', 'serve'],
  ['serve', '--logout-enabled', '--data-dir', 'data'],
  ['--config', 'serve.json', '--logout-enabled', 'false'],
]

for (const argv of services)
  Alone(`the service needs no other command: clientele ${argv.join(' ')}`, async () => {
    assert.ok(runsService(argv))
    const called = await callOf(argv, alone)
    assert.is(typeof called === 'string' ? called : called.name, 'serve')
  })

const others: ReadonlyArray<ReadonlyArray<string>> = [
  ['clients', 'list'],
  ['--port', '9000', 'clients', 'list'],
  ['srve'],
  ['help'],
  ['serve', '--help'],
  ['-h'],
  ['--version'],
  ['--', 'serve'],
  ['--nonsense'],
]

for (const argv of others)
  Alone(`other commands are needed: clientele ${argv.join(' ')}`, () => assert.not.ok(runsService(argv)))

const word = fc.oneof(
  fc.constantFrom(
    ...[
      'serve',
      'serve',
      '--port',
      '--port=1',
      '1',
      '--playground',
      '--playground=no',
      'true',
      '--config',
      '--data-dir',
    ],
    ...['clients', 'list', 'config', 'keys', 'import', 'help', 'version', 'x', '', '-', '--', '--nonsense', '--help'],
    ...[
      '-h',
      '-v',
      '--version',
      '--help=1',
      '--json',
      '--scope',
      '--limit=1',
      '--limit',
      'master-token',
      `-${'a'.repeat(42)}`,
    ],
  ),
  fc.string({ maxLength: 3 }),
)

Alone('whatever the command line is, all commands together do and say the same', () =>
  fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 5 }).filter(runsService), async (argv) =>
      assert.equal(await callOf(argv, alone), await callOf(argv)),
    ),
  ),
)

Alone.run()
