import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { describeConfigFault } from '../config/config-fault.js'
import { type LoadedConfig, loadConfig } from '../config/load-config.js'
import { readFile } from '../config/values/read-file.js'
import type { Invocation } from './command.js'
import type { Outcome, Terminal } from './terminal.js'

/** Runs a command with valid settings, or reports all faults of the settings. */
export const withSettings =
  (run: (loaded: LoadedConfig, terminal: Terminal, invocation: Invocation) => Outcome) =>
  (terminal: Terminal, invocation: Invocation): Outcome =>
    pipe(
      loadConfig({ flags: invocation.flags, environment: terminal.environment, readFile }),
      E.match(
        (faults): Outcome => {
          terminal.errors.write(`${faults.map(describeConfigFault).join('\n')}\n`)
          return 1
        },
        (loaded) => run(loaded, terminal, invocation),
      ),
    )
