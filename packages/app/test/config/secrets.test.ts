import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeConfigFault } from '../../src/config/rules.js'
import { loadConfig, configAsJson, configAsText } from '../../src/config/load-config.js'

type Texts = Readonly<Record<string, string>>

const load = (environment: Texts, flags: Texts = {}, files: Texts = {}): ReturnType<typeof loadConfig> =>
  loadConfig({ environment, flags, readFile: (path) => E.fromNullable('ENOENT')(files[path]) })

const messages = (environment: Texts, flags: Texts = {}, files: Texts = {}): ReadonlyArray<string> => {
  const result = load(environment, flags, files)
  return E.isLeft(result) ? result.left.map(describeConfigFault) : []
}

const token = 'abcdefghijklmnopqrstuvwxyz0123456789'
const key = 'A'.repeat(43)

const secrets = suite('configured secrets')

secrets('a secret may come from a file, whose last line ending does not count', () => {
  const result = load(
    { CLIENTELE_MASTER_TOKEN_FILE: 'm', CLIENTELE_ENCRYPTION_KEY_FILE: 'k' },
    {},
    { m: `${token}\n`, k: `${key}\r\n` },
  )
  assert.ok(E.isRight(result))
  assert.equal(E.isRight(result) && result.right.config['master-token'], { kind: 'token', token })
  assert.equal(E.isRight(result) && result.right.config['encryption-key']?.map((each) => each.length), [32])
})

secrets('the master token may be given as its SHA-256', () => {
  const result = load({ CLIENTELE_MASTER_TOKEN_SHA256: 'AB'.repeat(32) })
  assert.equal(E.isRight(result) && result.right.config['master-token'], {
    kind: 'sha256',
    digest: Buffer.alloc(32, 0xab),
  })
})

secrets('a secret file that is missing or malformed is a fault that names the setting', () => {
  assert.match(messages({ CLIENTELE_MASTER_TOKEN_FILE: 'm' })[0] ?? '', /^master-token-file .*ENOENT/)
  assert.match(messages({ CLIENTELE_ENCRYPTION_KEY_FILE: 'k' }, {}, { k: 'short' })[0] ?? '', /^encryption-key-file /)
})

secrets('one source must not give the same secret in two forms', () => {
  assert.match(
    messages({ CLIENTELE_MASTER_TOKEN: token, CLIENTELE_MASTER_TOKEN_FILE: 'm' }, {}, { m: token })[0] ?? '',
    /from environment CLIENTELE_MASTER_TOKEN, master-token-file from environment CLIENTELE_MASTER_TOKEN_FILE/,
  )
  assert.is(messages({ CLIENTELE_MASTER_TOKEN: token, CLIENTELE_MASTER_TOKEN_SHA256: 'ab'.repeat(32) }).length, 1)
})

secrets('a form from an earlier source wins over another form from a later one', () => {
  const result = load(
    { CLIENTELE_MASTER_TOKEN: token },
    { config: 'c' },
    {
      c: JSON.stringify({ 'master-token-sha256': 'ab'.repeat(32) }),
    },
  )
  assert.equal(E.isRight(result) && result.right.config['master-token'], { kind: 'token', token })
})

const unguessable = fc.string({ unit: fc.constantFrom(...Array.from('§QXZ#jk%"qx')), minLength: 8, maxLength: 60 })
const secretName = fc.constantFrom('master-token', 'master-token-sha256', 'encryption-key')
const place = fc.constantFrom('flag', 'environment', 'file', 'secret file')
const variable = (name: string): string => `CLIENTELE_${name.toUpperCase().replaceAll('-', '_')}`

secrets('no fault shows the value of a secret, wherever it was given', () => {
  fc.assert(
    fc.property(secretName, unguessable, place, (name, value, where) => {
      const found = {
        flag: () => messages({}, { [name]: value }),
        environment: () => messages({ [variable(name)]: value }),
        file: () => messages({}, { config: 'c' }, { c: JSON.stringify({ [name]: value }) }),
        'secret file': () => messages({ CLIENTELE_MASTER_TOKEN_FILE: 'm' }, {}, { m: value }),
      }[where]()
      return found.length === 1 && !found.join('\n').includes(value)
    }),
  )
})

const validToken = fc.string({ unit: fc.constantFrom(...Array.from('QXZjkq0123456789')), minLength: 32, maxLength: 60 })
const validKey = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('base64url'))

secrets('config print shows no secret, as text or as JSON', () => {
  fc.assert(
    fc.property(validToken, validKey, (master, sealing) => {
      const result = load({ CLIENTELE_MASTER_TOKEN: master, CLIENTELE_ENCRYPTION_KEY: sealing })
      if (E.isLeft(result)) return false
      const { resolved } = result.right
      const shown = configAsText(resolved) + JSON.stringify(configAsJson(resolved))
      return !shown.includes(master) && !shown.includes(sealing) && shown.includes('(secret)')
    }),
  )
})

secrets('config print shows every setting with its value and its source', () => {
  const result = load({ CLIENTELE_PORT: '9000' })
  assert.ok(E.isRight(result))
  if (E.isLeft(result)) return
  assert.match(configAsText(result.right.resolved), /^port +9000 {2}\[environment CLIENTELE_PORT\]$/m)
  assert.match(configAsText(result.right.resolved), /^master-token +\(generated at the first start\) {2}\[default\]$/m)
  assert.equal(
    Object.entries(configAsJson(result.right.resolved)).find(([name]) => name === 'port'),
    ['port', { value: 9000, source: 'environment CLIENTELE_PORT' }],
  )
})

secrets.run()
