import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type RegisteredClient, TokenHash, auditRow, changedMembers, epochSeconds } from '@clientele/domain'
import { propertyRuns, registeredClient } from '@clientele/testing'

const test = suite('the members of an audit entry')

const anyHash = (): TokenHash => {
  const text = 'a'.repeat(43)
  if (!TokenHash.is(text)) throw new Error(text)
  return text
}

const entryOf = (before: RegisteredClient | undefined, after: RegisteredClient): string =>
  auditRow(
    anyHash,
    () => 'a-nonce',
  )({
    at: epochSeconds(0),
    action: 'client_updated',
    actor: { kind: 'store', fingerprint: '' },
    origin: { door: 'command', request_id: 'one' },
    members: changedMembers(before, after),
    client_id: 'client',
  }).entry

const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

test('no value of a member is in an entry: names only', () => {
  fc.assert(
    fc.property(registeredClient(), registeredClient(), (before, after) => {
      const known = new Set([...Object.keys(before), ...Object.keys(before.metadata), ...Object.keys(after.metadata)])
      for (const entry of [entryOf(undefined, after), entryOf(before, after)]) {
        for (const { secret, registration_access_token } of [before, after]) {
          if (secret !== undefined) assert.not.ok(entry.includes(secret.client_secret))
          assert.not.ok(entry.includes(registration_access_token.token))
          assert.not.ok(entry.includes(registration_access_token.hash))
        }
        const values = textsIn([before.metadata, after.metadata]).filter((text) => text.length > 20 && !known.has(text))
        for (const value of values) assert.not.ok(entry.includes(value), value)
      }
    }),
    { numRuns: propertyRuns() },
  )
})

test('no member changes between two equal versions, and each that differs is named', () => {
  fc.assert(
    fc.property(registeredClient(), (client) => {
      assert.equal(changedMembers(client, client), [])
      const renamed = { ...client, metadata: { ...client.metadata, client_name: `${client.metadata.client_name}!` } }
      assert.equal(changedMembers(client, renamed), ['client_name'])
      const tagged = { ...client, metadata: { ...client.metadata, 'client_name#de': 'ein Geheimnis' } }
      fc.pre(client.metadata['client_name#de'] === undefined)
      assert.equal(changedMembers(client, tagged), ['client_name'])
    }),
    { numRuns: propertyRuns() },
  )
})

test('a registration names all members that the client has', () => {
  fc.assert(
    fc.property(registeredClient(), (client) => {
      const names = changedMembers(undefined, client)
      for (const [name, value] of Object.entries(client.metadata))
        assert.is(
          names.includes(name.replace(/#.*/, '')),
          value !== undefined || names.includes(name.replace(/#.*/, '')),
        )
      assert.ok(names.includes('registration_access_token'))
    }),
    { numRuns: propertyRuns() },
  )
})

test.run()
