import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Called, callOf } from '../support/silent-program.js'

const call = async (...argv: ReadonlyArray<string>): Promise<Called> => {
  const called = await callOf(argv)
  if (typeof called === 'string') throw new Error(called)
  return called
}

const refusal = async (...argv: ReadonlyArray<string>): Promise<string> => {
  const called = await callOf(argv)
  return typeof called === 'string' ? called : JSON.stringify(called)
}

const flags = async (...argv: ReadonlyArray<string>): Promise<Called['flags']> => (await call(...argv)).flags

const commandLine = suite('command line')

commandLine('a thumbprint that begins with - is an operand, before or behind switches', async () => {
  for (const kid of [`-${'a'.repeat(42)}`, `--${'Z'.repeat(41)}`, `-h${'_'.repeat(41)}`])
    for (const argv of [
      ['keys', 'compromise', kid, '--yes'],
      ['keys', 'compromise', '--yes', kid],
      ['keys', 'compromise', '--yes', '--', kid],
    ])
      assert.equal(
        await call(...argv),
        { name: 'keys compromise', operand: kid, switches: ['yes'], flags: {} },
        argv.join(' '),
      )
})

commandLine('a value that looks like a thumbprint stays the value of its option', async () => {
  const key = `-${'a'.repeat(42)}`
  assert.equal(await flags('--encryption-key', key), { 'encryption-key': key })
  assert.equal(await flags('--master-token', `-${'a'.repeat(40)}==`), { 'master-token': `-${'a'.repeat(40)}==` })
})

commandLine('settings stand before and behind the command, and its own options behind it', async () => {
  assert.equal(await call('--port', '1', 'config', '--log-level', 'info', 'check', '--json', '--host=::1'), {
    name: 'config check',
    operand: undefined,
    switches: ['json'],
    flags: { port: '1', 'log-level': 'info', host: '::1' },
  })
  assert.match(await refusal('config', '--json', 'check'), "unknown option '--json'")
})

commandLine('without a command the service is run, with settings or without', async () => {
  assert.is((await call()).name, 'serve')
  assert.equal(await call('--port', '1', '--allow-open-registration'), {
    name: 'serve',
    operand: undefined,
    switches: [],
    flags: { port: '1', 'allow-open-registration': 'true' },
  })
})

commandLine('a switch stands alone, and - is a value', async () => {
  const { switches, flags: given } = await call('explain', '--open', '--metadata', '-')
  assert.equal([switches, given], [['open'], { metadata: '-' }])
})

commandLine('a setting that is true or false may stand alone for true', async () => {
  assert.equal(await flags('--allow-open-registration'), { 'allow-open-registration': 'true' })
  assert.equal(await flags('--allow-open-registration', 'keys', 'list'), { 'allow-open-registration': 'true' })
  assert.equal(await flags('--allow-open-registration', '--port', '1'), {
    'allow-open-registration': 'true',
    port: '1',
  })
  assert.equal(await flags('--rotate-client-secret-on-update', 'false'), { 'rotate-client-secret-on-update': 'false' })
  assert.equal(await flags('--rotate-client-secret-on-update=false'), { 'rotate-client-secret-on-update': 'false' })
})

commandLine('behind an equals sign a value may begin with dashes', async () => {
  assert.equal(await flags('--data-dir=--data'), { 'data-dir': '--data' })
})

commandLine('an option without a value, a switch with one and an option given twice are refused', async () => {
  assert.match(await refusal('--host'), /^clientele: option '--host <VALUE>' argument missing\nSee clientele help\n$/)
  assert.match(await refusal('--host', '--port', '1'), "option '--host <VALUE>' argument missing")
  assert.match(await refusal('--port', '1', '--port', '2'), "option '--port' is given twice")
  assert.match(await refusal('config', 'check', '--json=yes'), "unknown option '--json='")
})

commandLine('no refusal shows a value', async () => {
  for (const argv of [
    ['--master-tokn=SECRET'],
    ['config', 'check', '--json=SECRET'],
    ['--master-token', 'SECRET', '--master-token', 'SECRET'],
    ['--master-token=SECRET', '--prot', '1'],
  ])
    assert.not.match(await refusal(...argv), 'SECRET', argv.join(' '))
})

commandLine('a refusal has no control character of what was typed', async () => {
  assert.match(await refusal('a\u001b[2J'), "unknown command 'a\\u001b[2J'")
})

commandLine('anything is either called or refused, and a called one has only values that were typed', async () => {
  const near = fc.constantFrom(
    '--port',
    '--json',
    '--',
    '-',
    '-h',
    '--help=',
    '--__proto__',
    '--config',
    '--port=',
    'keys',
    'list',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(fc.string(), near)), async (argv) => {
      const called = await callOf(argv)
      if (typeof called === 'string') return called.length > 0
      return Object.values(called.flags).every((value) => argv.join().includes(value))
    }),
  )
})

commandLine.run()
