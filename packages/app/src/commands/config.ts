// clientele config …: prints and checks the settings. Neither command starts or creates anything.
import * as E from 'fp-ts/lib/Either.js'
import { describeConfigFault, missingLogin } from '../config/rules.js'
import { loadConfig, configAsJson, configAsText } from '../config/load-config.js'
import { readFile } from '../config/files.js'
import { json, type Command, type Invocation } from './command.js'
import type { ExitStatus, Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

const check = (terminal: Terminal, { flags, switches }: Invocation): ExitStatus => {
  const loaded = loadConfig({ flags, environment: terminal.environment, readFile })
  // A start by this program is refused for it, too.
  const faults = E.isLeft(loaded) ? loaded.left : [missingLogin(loaded.right.config) ?? []].flat()
  if (switches.includes('json'))
    terminal.output.write(`${JSON.stringify({ valid: faults.length === 0, faults }, null, 2)}\n`)
  else if (faults.length === 0) terminal.output.write('The settings are valid.\n')
  else terminal.errors.write(`${faults.map(describeConfigFault).join('\n')}\n`)
  return faults.length === 0 ? 0 : 1
}

const print = withSettings(({ resolved }, { output }, { switches }) => {
  const text = switches.includes('json') ? JSON.stringify(configAsJson(resolved), null, 2) : configAsText(resolved)
  output.write(`${text}\n`)
  return 0
})

export const configCommands: ReadonlyArray<Command> = [
  {
    name: 'config check',
    summary: 'say what is wrong with the settings, all at once',
    options: [json],
    example: 'clientele config check --config clientele.json',
    run: check,
  },
  {
    name: 'config print',
    summary: 'show every setting and where it comes from, but no secret',
    options: [json],
    example: 'clientele config print --json',
    run: print,
  },
]
