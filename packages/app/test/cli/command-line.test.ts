import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseCommandLine } from '../../src/cli/command-line.js'

const faults = (...argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  const line = parseCommandLine(argv)
  return E.isLeft(line) ? line.left : []
}

const flags = (...argv: ReadonlyArray<string>): Readonly<Record<string, string>> => {
  const line = parseCommandLine(argv)
  return E.isLeft(line) ? {} : line.right.flags
}

const commandLine = suite('command line')

commandLine('a thumbprint that begins with - is a word, before or after switches', () => {
  for (const kid of [`-${'a'.repeat(42)}`, `--${'Z'.repeat(41)}`, `-h${'_'.repeat(41)}`])
    for (const argv of [
      ['keys', 'compromise', kid, '--yes'],
      ['keys', 'compromise', '--yes', kid],
      ['keys', 'compromise', '--yes', '--', kid],
    ])
      assert.equal(
        parseCommandLine(argv),
        E.right({ words: ['keys', 'compromise', kid], switches: ['yes'], flags: {} }),
        argv.join(' '),
      )
})

commandLine('words, switches and flags are told apart, in any order', () => {
  assert.equal(
    parseCommandLine(['--port', '1', 'config', '--json', 'check', '--host=::1']),
    E.right({
      words: ['config', 'check'],
      switches: ['json'],
      flags: { port: '1', host: '::1' },
    }),
  )
})

commandLine('a switch stands alone, and - is a value', () => {
  assert.equal(
    parseCommandLine(['explain', '--open', '--metadata', '-']),
    E.right({ words: ['explain'], switches: ['open'], flags: { metadata: '-' } }),
  )
})

commandLine('a flag that is true or false may stand alone for true', () => {
  assert.equal(flags('--allow-open-registration'), { 'allow-open-registration': 'true' })
  assert.equal(flags('--allow-open-registration', '--port', '1'), { 'allow-open-registration': 'true', port: '1' })
  assert.equal(flags('--rotate-client-secret-on-update', 'false'), { 'rotate-client-secret-on-update': 'false' })
  assert.equal(flags('--rotate-client-secret-on-update=false'), { 'rotate-client-secret-on-update': 'false' })
})

commandLine('an unknown flag is refused with the nearest known one', () => {
  assert.equal(faults('--prot', '1'), ['--prot is not a flag: did you mean --port?'])
})

commandLine('a flag without a value, a switch with one and a repeated flag are refused, all at once', () => {
  assert.equal(faults('--json=yes', '--port', '1', '--port', '2', '--host'), [
    '--json takes no value',
    '--host needs a value',
    '--port is given twice',
  ])
  assert.equal(faults('--host', '--port', '1').includes('--host needs a value'), true)
})

commandLine('no refusal shows a value', () => {
  assert.not.match(faults('--master-tokn=SECRET', '--json=SECRET').join(), 'SECRET')
})

commandLine('anything is either read or refused', () => {
  const near = fc.constantFrom('--port', '--json', '--', '-', '-h', '--help=', '--__proto__', '--config', '--port=')
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), near)), (argv) => {
      const line = parseCommandLine(argv)
      if (E.isLeft(line)) return line.left.length > 0
      return Object.values(line.right.flags).every((value) => argv.join().includes(value))
    }),
  )
})

commandLine.run()
