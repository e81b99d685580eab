// Runs the scripts in the installed shells, which include bash.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { settingForms } from '../../src/config/settings.js'
import { leaves, programWriting } from '../support/silent-program.js'
import { run } from './run.js'

const completion = suite<{ directory: string }>('completion')

completion.before.each((context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
})
completion.after.each(({ directory }) => rmSync(directory, { recursive: true }))

const scriptOf = async (shell: string): Promise<string> => {
  const { status, output } = await run(['completion', shell])
  assert.is(status, 0)
  return output
}

type Complete = (script: string, typed: ReadonlyArray<string>) => ReadonlyArray<string>

const listed = (file: string, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' })
  assert.equal([status, stderr], [0, ''])
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/\t.*$/, '')]))
}

const inBash: Complete = (script, typed) => {
  const requested = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _clientele; printf "%s\\n" "${COMPREPLY[@]}"'
  return listed('bash', ['--norc', '-c', `source "$0"; ${requested}`, script, 'clientele', ...typed])
}

const inFish: Complete = (script, typed) =>
  listed('fish', ['--no-config', '-c', `source ${script}; complete -C 'clientele ${typed.join(' ')}'`])

const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

const completions: ReadonlyArray<readonly [ReadonlyArray<string>, ReadonlyArray<string>]> = [
  [['k'], ['keys']],
  [['keys', 'i'], ['import']],
  [
    ['keys', 'import', 'set.json', '--f'],
    ['--first-party-clients', '--foreign'],
  ],
  [['--port', '1', 'keys', 'l'], ['list']],
  [['keys', 'list', '--jw'], ['--jwks-max-age']],
  [
    ['token', 'issue', '--l'],
    [
      '--lenient',
      '--lifetime',
      '--list-clients-on-management-port-alone',
      '--log-level',
      '--login',
      '--login-page-keys',
      '--login-page-secret',
      '--login-page-secret-file',
      '--login-page-url',
      '--logout-enabled',
      '--logout-ends-offline-access',
      '--logout-hint-max-age',
      '--logout-path',
    ],
  ],
  [
    ['completion', ''],
    ['bash', 'fish', 'zsh'],
  ],
  [
    ['help', 'se'],
    ['serve', 'settings'],
  ],
]

const shells: ReadonlyArray<readonly [string, Complete]> = [
  ['bash', inBash],
  ['fish', inFish],
]

for (const [shell, complete] of shells)
  if (isInstalled(shell))
    completion(`${shell} completes commands, options and settings`, async ({ directory }) => {
      const script = join(directory, 'script')
      writeFileSync(script, await scriptOf(shell))
      for (const [typed, expected] of completions)
        assert.equal([...complete(script, typed)].sort(), expected, typed.join(' '))
    })

completion('bash leaves values and operands to the completion of files', async ({ directory }) => {
  const script = join(directory, 'script')
  writeFileSync(script, await scriptOf('bash'))
  assert.equal(inBash(script, ['--config', '']), [])
  assert.equal(inBash(script, ['token', 'issue', '--scope', '']), [])
  assert.equal(inBash(script, ['keys', 'import', '']), [])
})

completion('the script of every shell has every command and every setting', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = await scriptOf(shell)
    for (const name of leaves(programWriting(() => undefined))) assert.match(script, `'${name}'`, `${shell} ${name}`)
    for (const { name } of settingForms) assert.match(script, shell === 'fish' ? `-l ${name} ` : `--${name}`, name)
  }
})

if (isInstalled('zsh'))
  completion('zsh reads its script', async ({ directory }) => {
    const script = join(directory, '_clientele')
    writeFileSync(script, await scriptOf('zsh'))
    assert.equal(listed('zsh', ['-f', '-n', script]), [])
  })

completion.run()
