// Both shells as listeners for node:http, so that one suite holds them to the same.
import { suite } from 'uvu'
import { createManagementHandler, createPublicHandler } from '../../src/fetch.js'
import { createManagementListener, createPublicListener } from '../../src/index.js'
import { bridged } from './bridge.js'

export type Shell = {
  readonly name: 'koa' | 'fetch'
  readonly createPublicListener: typeof createPublicListener
  readonly createManagementListener: typeof createManagementListener
}

const koa: Shell = { name: 'koa', createPublicListener, createManagementListener }

const fetch: Shell = {
  name: 'fetch',
  createPublicListener: (settings, ports, served) =>
    bridged((peerOf) =>
      createPublicHandler(
        settings,
        { ...ports, remoteAddress: (request) => ports.remoteAddress(peerOf(request)) },
        served,
      ),
    ),
  createManagementListener: (settings, ports) =>
    bridged((peerOf) =>
      createManagementHandler(settings, {
        ...ports,
        remoteAddress: (request) => ports.remoteAddress(peerOf(request)),
      }),
    ),
}

export const shells: ReadonlyArray<Shell> = [koa, fetch]

/** A suite of which each test runs on every shell. */
export const suiteOnShells = (name: string) => {
  const tests = suite(name)
  const test = (title: string, run: (shell: Shell) => Promise<void>): void => {
    for (const shell of shells) tests(`${title} (${shell.name})`, () => run(shell))
  }
  return Object.assign(test, { run: () => tests.run() })
}
