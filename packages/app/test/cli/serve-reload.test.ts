import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serveCommand } from '../../src/cli/serve.js'

const reloads = suite('a reload of a service that starts')

reloads('it follows the start', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const policy = join(directory, 'policy.json')
  writeFileSync(policy, '{}')
  const flags = { port: '0', engine: 'none', 'data-dir': directory, 'registration-policy': policy }
  const log: Array<string> = []
  let stop: () => void = () => undefined
  let reload: (isRecorded: boolean) => void = () => undefined
  const ended = serveCommand.run(
    {
      environment: {},
      output: { write: () => undefined, writableLength: 0 },
      errors: { write: (text) => log.push(text), writableLength: 0 },
      ask: async () => '',
      askSecret: async () => '',
      stopped: new Promise((resolve) => (stop = resolve)),
      onReload: (by) => (reload = by),
      onDefect: () => undefined,
      exit: () => undefined,
    },
    { operand: undefined, flags, switches: [] },
  )
  writeFileSync(policy, '{ "maximum_clients": 1 }')
  reload(true)
  const deadline = Date.now() + 20_000
  const outcome = (): string | undefined => log.find((line) => line.includes('the settings were '))
  while (outcome() === undefined && Date.now() < deadline) await setTimeout(10)
  stop()
  assert.is(await ended, 0)
  assert.match(outcome() ?? '', '"reloaded":["registration-policy"]')
  rmSync(directory, { recursive: true })
})

reloads.run()
