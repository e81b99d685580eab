import globalConsole from 'node:console'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadEngine } from '../src/load-engine.js'
import { ports, settings } from './support/engine-ports.js'

const Loading = suite('the engine and the console of its host')

Loading(
  'what the engine writes while it is loaded goes to each service, and the console stays that of the host',
  async () => {
    const host: Record<'info' | 'warn', (text: unknown) => void> = globalConsole
    const { info, warn } = host
    const written: Array<unknown> = []
    const own = { info: (text: unknown) => void written.push(text), warn: (text: unknown) => void written.push(text) }
    Object.assign(globalConsole, own)
    try {
      const heard: ReadonlyArray<Array<string>> = [[], []]
      const loading = Promise.all(heard.map((warnings) => loadEngine((warning) => void warnings.push(warning))))
      globalConsole.info('of the host')
      const [create] = await loading
      assert.equal([host.info, host.warn], [own.info, own.warn])
      create?.(settings, ports())
      assert.equal(written, ['of the host'])
      assert.equal(heard[1], heard[0])
    } finally {
      Object.assign(globalConsole, { info, warn })
    }
  },
)

Loading.run()
