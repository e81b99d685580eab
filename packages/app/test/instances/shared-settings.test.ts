import type { TokenHash } from '@clientele/domain/authorization'
import { jsonInOrder } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { type Config, settingsOfOneInstance, sharedSettings } from '../../src/config/settings.js'
import { settingDigests } from '../../src/running/presence.js'

const Shared = suite('settings that instances share')

const secrets = {
  digestKey: 'the digest key of the store',
  masterTokens: ['a'.repeat(43) as TokenHash] as const,
  encryptionKeys: [Buffer.alloc(32, 1)],
}

const configOf = (flags: Readonly<Record<string, string>> = {}): Config => {
  const loaded = loadConfig({
    flags,
    environment: {},
    readFile: (path) => (path.endsWith('.json') ? E.right(path) : E.left('ENOENT')),
  })
  if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left))
  return loaded.right.config
}

const differing = (one: Config, other: Config, keys = [secrets, secrets]): ReadonlyArray<string> => {
  const [first = {}, second = {}] = [one, other].map((config, index) => settingDigests(config, keys[index] ?? secrets))
  return Object.keys(first).filter((name) => first[name] !== second[name])
}

Shared('the document of several instances names those of one instance', () => {
  const document = readFileSync(new URL('../../../../docs/operate/several-instances.md', import.meta.url), 'utf8')
  const [, list = ''] = /except those that belong to one instance alone: (.*)/.exec(document) ?? []
  const named = settingsOfOneInstance.filter((name) => !name.startsWith('database-') && name !== 'encryption-key')
  assert.equal([...list.matchAll(/`([a-z-]+[a-z])`/g)].map(([, name]) => name).sort(), [...named].sort())
})

Shared('the same settings have the same digests, wherever an instance listens', () => {
  const elsewhere = { host: '127.0.0.2', port: '9000', 'log-level': 'debug', 'data-dir': '/elsewhere' }
  assert.equal(differing(configOf(), configOf(elsewhere)), [])
})

Shared('each change is one of its setting', () => {
  const changes = {
    'base-url': 'https://op.example',
    'signing-algorithms': 'ES256',
    'key-retention': '40000',
    'open-registration-scopes': 'openid',
    'cors-origins': 'https://rp.example',
    playground: 'true',
  }
  for (const [name, value] of Object.entries(changes))
    assert.equal(differing(configOf(), configOf({ [name]: value })), [name])
})

Shared('another master token differs; its SHA-256 in place of the token does not', () => {
  const token = 'the-master-token-of-both-services-in-this-test'
  assert.equal(differing(configOf({ 'master-token': token }), configOf({ 'master-token-sha256': 'a'.repeat(64) })), [])
  const other = { ...secrets, masterTokens: ['b'.repeat(43) as TokenHash] as const }
  assert.equal(differing(configOf(), configOf(), [secrets, other]), ['master-token'])
})

Shared('the members of a JSON file have no order', () => {
  assert.is(jsonInOrder({ a: 1, b: [{ c: 2, d: 3 }] }), jsonInOrder({ b: [{ d: 3, c: 2 }], a: 1 }))
})

Shared('digests show no value, and differ for another store', () => {
  const config = configOf({ 'base-url': 'https://op.example' })
  const digests = JSON.stringify(settingDigests(config, secrets))
  assert.not.match(digests, 'op.example')
  assert.not.match(digests, secrets.masterTokens[0])
  assert.equal(differing(config, config, [secrets, { ...secrets, digestKey: 'another' }]), sharedSettings)
})

Shared.run()
