// A roll-over at one of three processes on one database, and verifiers that keep a set for its max-age.
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { startForwarder } from '../../../adapters-postgresql/test/support/forwarder.js'
import { decodeProtectedHeader } from 'jose'
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { type Instance, startInstance } from '../endure/instances.js'
import { send } from '../support/requests.js'
import { joseVerifier, jwksRsaVerifier } from '../support/verifiers.js'
import { masterToken } from './postgresql-service.js'

const keys = postgresqlSuite('the keys of three processes')

const maxAge = 4
// The shortest that is permitted: max-age and 40 seconds.
const publishAhead = 44
const settings = {
  'signing-algorithms': 'ES256',
  'jwks-max-age': `${maxAge}`,
  'key-publish-ahead': `${publishAhead}`,
  'key-retention': '20',
  'signing-key-lifetime': '3600',
}

const at = ({ port }: Instance) => ({ base: `http://127.0.0.1:${port}` })

const kidsOf = async (instance: Instance): Promise<ReadonlyArray<string>> => {
  const { status, text } = await send(at(instance), '/jwks.json')
  assert.is(status, 200)
  const { keys: published } = JSON.parse(text) as { keys: ReadonlyArray<{ kid: string }> }
  return published.map(({ kid }) => kid)
}

const sign = async (instance: Instance): Promise<string> => {
  const expires_at = Math.floor(Date.now() / 1_000) + 15
  const json = { alg: 'ES256', typ: 'at+jwt', claims: { sub: 'user' }, expires_at }
  const answer = await send(at(instance), '/keys/sign', { method: 'POST', token: masterToken, json })
  assert.is(answer.status, 200, answer.text)
  return String(answer.json['token'])
}

const rollOver = async (instance: Instance): Promise<void> => {
  const sent = { method: 'POST', token: masterToken, json: { alg: 'ES256' } }
  assert.is((await send(at(instance), '/keys/roll-over', sent)).status, 200)
}

/** Fails unless all publish one key more within five seconds. */
const seenByAll = async (instances: ReadonlyArray<Instance>, before: number): Promise<void> => {
  const deadline = Date.now() + 5_000
  for (;;) {
    const counts = (await Promise.all(instances.map(kidsOf))).map(({ length }) => length)
    if (counts.every((count) => count === before + 1)) return
    assert.ok(Date.now() < deadline, `${counts.join()} keys after five seconds, and ${before} before`)
    await pause(50)
  }
}

type Token = { readonly text: string; readonly expiresAt: number }

/** Signs at each instance and verifies everything unexpired, until the seconds have passed: the keys that signed. */
const useKeys = async (
  instances: ReadonlyArray<Instance>,
  verifiers: ReadonlyArray<(token: string) => Promise<unknown>>,
  seconds: number,
): Promise<ReadonlySet<string>> => {
  const kids = new Set<string>()
  const tokens: Array<Token> = []
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await pause(150)) {
    for (const instance of instances) {
      const text = await sign(instance)
      tokens.push({ text, expiresAt: Date.now() + 10_000 })
      kids.add(decodeProtectedHeader(text).kid ?? '')
    }
    const [oldest] = tokens.filter(({ expiresAt }) => expiresAt > Date.now())
    for (const { text } of [...tokens.slice(-instances.length), ...(oldest === undefined ? [] : [oldest])])
      for (const verify of verifiers) await verify(text)
  }
  return kids
}

keys(
  'a roll-over at one is seen by all within five seconds, and no verifier fails while keys change',
  async (server) => {
    const url = await newDatabase(server)
    const base = 'http://127.0.0.1:8080'
    const instances = await Promise.all(Array.from({ length: 3 }, () => startInstance(url, base, settings)))
    const turn = { next: 0 }
    const proxy = await startForwarder(() => instances.slice((turn.next = (turn.next + 1) % 3)).map(({ port }) => port))
    const provider = { issuer: base, jwksUri: `http://127.0.0.1:${proxy.port}/jwks.json`, maxAge }
    const verifiers = Array.from({ length: 3 }, () => [joseVerifier(provider), jwksRsaVerifier(provider)]).flat()
    try {
      const [first] = instances
      assert.ok(first)
      const before = (await kidsOf(first)).length
      await rollOver(first)
      await seenByAll(instances, before)
      const kids = await useKeys(instances, verifiers, publishAhead + 5)
      assert.is(kids.size, 2, 'the successor did not sign')
    } finally {
      await proxy.close()
      for (const { stop } of instances) await stop()
    }
  },
)

keys.run()
