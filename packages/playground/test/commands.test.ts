import { noPolicy } from '@clientele/domain/policy'
import { law } from '@clientele/testing'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { curlCommand, shellText } from '../src/curl-command.js'
import { examples, firstState } from '../src/examples.js'
import { defaultSettings } from '../src/served-settings.js'
import { view } from '../src/view.js'
import { anyText, state } from './support/states.js'

const Commands = suite('the same as commands and tests')
const it = law(Commands)

const running = (shell: string, script: string): Buffer =>
  spawnSync(shell, ['-s'], { input: script, env: { LC_ALL: 'C.UTF-8', PATH: process.env['PATH'] }, maxBuffer: 1e8 })
    .stdout

const shells = ['sh', 'dash', 'bash', 'zsh', 'ksh', 'mksh', 'yash'].filter(
  (shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0,
)

/** The bytes that the shell passes on: JSON bodies contain neither NUL nor an unpaired surrogate. */
const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    Array.from(text, (character) => {
      const code = character.codePointAt(0) ?? 0
      if (code === 0) return Buffer.from([1])
      const isHalf = code >= 0xd800 && code <= 0xdfff
      return isHalf ? Buffer.from([0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]) : Buffer.from(character)
    }),
  )

const hostile = [
  `{"client_name":"\u0007'; echo pwned #"}`,
  `{"client_name":"\u001b[201~\r'; id; '$(id)\`id\`\\'"}`,
  "'",
  "\\'\u0000'\\",
  '\u0001',
  '-n !! %s %% \\007 \\',
  'line\n!!\n\n',
  '\r\n',
  '~ * ? [a] {a,b} "$HOME" & | < > # ; ()',
  '',
]

// One process of each shell for all texts, because its start takes longer than they do.
for (const shell of shells)
  Commands(`${shell} reads any text as it is`, () => {
    const texts = [...hostile, ...fc.sample(anyText(), 500)]
    const printed = running(shell, texts.map((text) => `printf '%s\\0' ${shellText(text)}`).join('\n'))
    const expected = texts.map((text) => Buffer.concat([bytesOf(text), Buffer.from([0])]))
    assert.equal(printed.toString('latin1').split('\0'), Buffer.concat(expected).toString('latin1').split('\0'))
  })

it('nothing that drives a terminal, or asks a shell for its history, is in a command', [state()], (any) => {
  assert.not.match(curlCommand(any), /[\x00-\x09\x0B-\x1F\x7F-\x9F!]/)
})

Commands('the command posts the body, as JSON and with the token', () => {
  const body = '{"client_name": "Tom\'s \u001b[201~ `id` $(id) !!"}'
  const command = curlCommand({ ...firstState('https://op.example/base'), body })
  const printed = running('bash', `curl() { printf '%s\\n' "$@"; }\nINITIAL_ACCESS_TOKEN=t0ken\n${command}`).toString()
  assert.equal(printed.trimEnd().split('\n'), [
    '-sS',
    'https://op.example/base/clients',
    '-H',
    'Authorization: Bearer t0ken',
    '-H',
    'Content-Type: application/json',
    '--data-raw',
    body,
  ])
})

Commands('a base URL that is none is replaced by an example, and without a token none is presented', () => {
  const command = curlCommand({ ...firstState("https://a.example/'; id; '"), ticked: [], scopeValues: '' })
  assert.match(command, /^curl -sS 'https:\/\/op\.example\/clients' \\\n {2}-H 'Content-Type/)
})

const folder = fileURLToPath(new URL('../node_modules/.cache/made-tests', import.meta.url))

const run = (tests: ReadonlyArray<string>): string => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  tests.forEach((text, at) => writeFileSync(`${folder}/made-${at}.test.mjs`, text))
  // One process for all: each file is a module with tests.
  writeFileSync(`${folder}/all.mjs`, tests.map((_, at) => `import './made-${at}.test.mjs'`).join('\n'))
  const args = ['--import', 'tsx', '--conditions=@clientele/source', '--test-reporter=tap', `${folder}/all.mjs`]
  return spawnSync(process.execPath, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } }).stdout
}

const withPolicy = {
  ...defaultSettings,
  policy: { ...noPolicy, allowed_redirect_hosts: ['*.rp.example'], required_members: ['tos_uri'] },
}

Commands('the tests that are made pass, for the examples and for anything that is typed', () => {
  const typed = examples.map((each) => ({ ...each.state, baseUrl: '' }))
  const exceedingNumbers = {
    ...firstState(''),
    body: '{"redirect_uris": ["https://rp.example/"], "data": {"n": [1e400]}}',
  }
  const droppedNumber = {
    ...firstState(''),
    mode: 'open' as const,
    ticked: [],
    body: '{"redirect_uris": ["https://rp.example/"], "other": 1e400}',
  }
  assert.is(view(droppedNumber).decision.kind, 'registered')
  const states = [...typed, exceedingNumbers, droppedNumber, ...fc.sample(state(), 40)]
  const tests = [
    ...states.flatMap((each) => view(each).commands?.testCase ?? []),
    ...typed.flatMap((each) => view(each, withPolicy).commands?.testCase ?? []),
  ]
  const output = run(tests)
  assert.match(output, new RegExp(`^# pass ${tests.length}$`, 'm'), output)
  assert.match(output, /^# fail 0$/m)
})

Commands('a test that is made fails where the decision is another', () => {
  const [example] = examples
  if (example === undefined) throw new Error('there is no example')
  const text = view({ ...example.state, baseUrl: '' }).commands?.testCase ?? ''
  assert.match(run([text.replace('client-reg:grant:code', 'client-reg:grant:implicit')]), /^# fail 1$/m)
})

Commands.run()
