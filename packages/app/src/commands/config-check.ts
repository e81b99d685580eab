import * as E from 'fp-ts/lib/Either.js'
import { describeConfigFault } from '../config/config-fault.js'
import { loadConfig } from '../config/load-config.js'
import { readFile } from '../config/values/read-file.js'
import type { CommandLine } from '../cli/command-line.js'
import type { ExitStatus, Terminal } from './terminal.js'

/** Says whether the service could start with these settings; starts and creates nothing. */
export const configCheck = (terminal: Terminal, line: CommandLine): ExitStatus => {
  const loaded = loadConfig({ flags: line.flags, environment: terminal.environment, readFile })
  const faults = E.isLeft(loaded) ? loaded.left : []
  if (line.switches.includes('json'))
    terminal.output.write(`${JSON.stringify({ valid: faults.length === 0, faults }, null, 2)}\n`)
  else if (faults.length === 0) terminal.output.write('The settings are valid.\n')
  else terminal.errors.write(`${faults.map(describeConfigFault).join('\n')}\n`)
  return faults.length === 0 ? 0 : 1
}
