// The command in this process, with its own streams.
import * as E from 'fp-ts/lib/Either.js'
import { runCommand } from '../../src/cli/program.js'
import { commands, groups } from '../../src/commands.js'
import { type Service, type ServiceOptions, compose } from '../../src/compose.js'
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/files.js'
import { createLog } from '../../src/observing/log.js'
import { pooledKeys } from '../support/pooled-keys.js'

export type Ran = { readonly status: number; readonly output: string; readonly errors: string }

export const run = async (
  argv: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
  answer: string | (() => Promise<string>) = '',
): Promise<Ran> => {
  const output: Array<string> = []
  const errors: Array<string> = []
  const status = await runCommand(
    {
      environment,
      output: {
        write: (text, done) => {
          output.push(text)
          done?.()
        },
        writableLength: 0,
      },
      errors: { write: (text) => errors.push(text), writableLength: 0 },
      ask: async (question) => {
        errors.push(question)
        return typeof answer === 'string' ? answer : answer()
      },
      askSecret: async (question) => {
        errors.push(question)
        return typeof answer === 'string' ? answer : answer()
      },
      stopped: Promise.resolve(),
      onReload: () => undefined,
      onDefect: () => undefined,
      exit: () => undefined,
    },
    argv,
    { commands, groups },
  )
  return { status, output: output.join(''), errors: errors.join('') }
}

/** The service of the settings, on a real socket and a real file; without an engine, unless they name one. */
export const started = async (
  flags: Readonly<Record<string, string>>,
  options: Partial<ServiceOptions> = {},
): Promise<Service> => {
  const loaded = loadConfig({ flags: { port: '0', engine: 'none', ...flags }, environment: {}, readFile })
  if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left))
  const log = createLog('silent', { write: () => true, writableLength: 0 })
  const service = await compose(loaded.right.config, {
    log,
    onFatal: () => undefined,
    keyMaker: pooledKeys,
    ...options,
  })()
  if (E.isLeft(service)) throw new Error(service.left)
  return service.right
}

/** POST with the master token, with another token, or without a token. */
export const post = async (url: string, token: string, json: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(json),
  })
