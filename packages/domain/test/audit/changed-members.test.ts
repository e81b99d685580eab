import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { auditRow, changedMembers } from '@clientele/domain/audit'
import { TokenHash } from '@clientele/domain/authorization'
import { epochSeconds } from '@clientele/domain/kernel'
import type { RegisteredClient } from '@clientele/domain/registration'
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

const besideMetadata = (client: RegisteredClient): Readonly<Record<string, unknown>> => ({
  client_secret: client.secret?.client_secret,
  client_secret_expires_at: client.secret?.client_secret_expires_at,
  registration_access_token: client.registration_access_token.hash,
  registered_by: client.registered_by,
  privileges: client.privileges,
  suspended_at: client.suspended_at,
  approval: client.approval,
})

test('what a client has beside its metadata is named when it differs, in the order of the alphabet', () => {
  fc.assert(
    fc.property(registeredClient(), registeredClient(), (before, other) => {
      const [one, two] = [before, other].map(besideMetadata)
      const differing = Object.keys({ ...one }).filter(
        (name) => JSON.stringify(one?.[name]) !== JSON.stringify(two?.[name]),
      )
      assert.equal(changedMembers(before, { ...other, metadata: before.metadata }), differing.sort())
    }),
    { numRuns: propertyRuns() },
  )
})

test('a registration names all that the client has, and nothing else', () => {
  fc.assert(
    fc.property(registeredClient(), (client) => {
      const all = Object.entries({ ...client.metadata, ...besideMetadata(client) })
      const names = all.flatMap(([name, value]) => (value === undefined ? [] : name.replace(/#.*/, '')))
      assert.equal(changedMembers(undefined, client), [...new Set(names)].sort())
    }),
    { numRuns: propertyRuns() },
  )
})

test.run()
