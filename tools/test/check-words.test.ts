import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

// A new repository with the check and one planted file.
const tools = fileURLToPath(new URL('..', import.meta.url))

const CheckWords = suite<{ folder: string }>('check of words')

CheckWords.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'clientele-words-'))
  for (const name of ['check-words.mjs', 'words.mjs', 'packages.mjs'])
    cpSync(join(tools, name), join(context.folder, 'tools', name))
  symlinkSync(join(tools, 'node_modules'), join(context.folder, 'tools/node_modules'))
  for (const document of ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'packages/domain/package.json'])
    plant(context.folder, document, '{}\n')
  spawnSync('git', ['init', '--quiet'], { cwd: context.folder })
})
CheckWords.after.each(({ folder }) => rmSync(folder, { recursive: true }))

const plant = (folder: string, file: string, content: string): void => {
  mkdirSync(join(folder, dirname(file)), { recursive: true })
  writeFileSync(join(folder, file), content)
}

const check = (folder: string) => {
  spawnSync('git', ['add', '--all', 'packages', 'README.md'], { cwd: folder })
  const args = ['tools/check-words.mjs', '--check']
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
}

const inDomain = 'packages/domain/src/planted.ts'

CheckWords('the words of the standards pass', ({ folder }) => {
  plant(folder, inDomain, 'export const maxClients = 1\n')
  const { status, stdout, stderr } = check(folder)
  assert.is(status, 0, stdout + stderr)
})

const uses: ReadonlyArray<readonly [what: string, file: string, content: string, word: string]> = [
  ['a part of a name', inDomain, 'export const isToldOnce = true\n', 'told: say reported, notified'],
  ['the beginning of a name', inDomain, 'export const mostClients = 1\n', 'most: say max'],
  ['a comment', inDomain, '/** Whoever asks. */\nexport const one = 1\n', 'whoever: say the party'],
  ['the name of a file', 'packages/domain/src/way-back.ts', 'export const one = 1\n', 'way back: say post-logout'],
  ['a document', 'README.md', 'The courier runs.\n', 'courier: say dispatcher'],
  ['a name of the wire in another place', inDomain, 'export const notices = 1\n', 'notices: say notifications'],
]
for (const [what, file, content, word] of uses)
  CheckWords(`a word to avoid is a failure in ${what}`, ({ folder }) => {
    plant(folder, file, content)
    const { status, stdout } = check(folder)
    assert.is(status, 1, stdout)
    assert.match(stdout, word)
  })

CheckWords('a name that the wire has passes where the wire is met', ({ folder }) => {
  plant(folder, 'packages/domain/src/manage-notifications.ts', 'export const notices = 1\n')
  const { status, stdout } = check(folder)
  assert.is(status, 0, stdout)
})

CheckWords.run()
