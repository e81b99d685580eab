// Runs the commands of a document as they are written there; its addresses and folders are those of a test.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { root } from './documented-commands.js'
import { mainFile } from './service.js'

/** What the document calls by the names on the left is on the right. */
export type Names = ReadonlyArray<readonly [string | RegExp, string]>

export type Shell = (command: string) => string

/** Adds a program to the folder that `shellWith` looks into first. */
export const addProgram = (place: string, name: string, script: string): void => {
  mkdirSync(join(place, 'bin'), { recursive: true })
  writeFileSync(join(place, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

/** Fails unless the command succeeds; returns its output. `clientele` is the command of this repository. */
export const shellWith = (place: string, names: Names, env: Readonly<Record<string, string>>): Shell => {
  addProgram(place, 'clientele', `exec '${process.execPath}' '${mainFile}' "$@"`)
  return (command) => {
    const here = names.reduce((text, [name, own]) => text.replaceAll(name, own), command)
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', here], {
      cwd: root,
      env: { ...process.env, ...env, PATH: `${place}/bin:${process.env['PATH'] ?? ''}` },
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      timeout: 300_000,
    })
    assert.is(status, 0, `${command}\n${stdout.slice(-4_000)}${stderr.slice(-4_000)}`)
    return stdout
  }
}
