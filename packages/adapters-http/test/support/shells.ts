// Both shells as listeners for node:http, so that one suite tests both.
import { suite } from 'uvu'
import * as fetchEntry from '../../src/fetch.js'
import { createManagementListener, createPublicListener } from '../../src/index.js'
import * as bridge from './bridge.js'

export type Shell = bridge.Shell & { readonly name: 'koa' | 'fetch' }

export const shells: ReadonlyArray<Shell> = [
  { name: 'koa', createPublicListener, createManagementListener },
  { name: 'fetch', ...bridge.bridgedShell(fetchEntry) },
]

/** A suite that runs each test on every shell. */
export const suiteOnShells = (name: string) => {
  const tests = suite(name)
  const test = (title: string, run: (shell: Shell) => Promise<void>): void => {
    for (const shell of shells) tests(`${title} (${shell.name})`, () => run(shell))
  }
  return Object.assign(test, { run: () => tests.run() })
}
