import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { describeConfigFault } from '../config/rules.js'
import { type LoadedConfig, loadConfig } from '../config/load-config.js'
import { readFile } from '../config/files.js'
import type { Config } from '../config/settings.js'
import { printableDocument } from '../text.js'
import type { Command, Invocation } from './command.js'
import { show } from './show.js'
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

/** A command that asks once: it prints the answer for people, or in JSON for programs. */
export const answering = <A>(
  ask: (config: Config, invocation: Invocation) => TE.TaskEither<string, A>,
  text: (answer: A) => string,
): Command['run'] =>
  withSettings(({ config }, terminal, invocation) =>
    show(terminal, ask(config, invocation), invocation.switches.includes('json') ? printableDocument : text),
  )
