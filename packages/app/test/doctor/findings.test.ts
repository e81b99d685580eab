import { ClientId } from '@clientele/domain/client'
import { EpochSeconds } from '@clientele/domain/kernel'
import type { KeyDescription } from '@clientele/domain/keys'
import type { NotificationDescription } from '@clientele/domain/logout'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  auditClockFindings,
  clockFinding,
  discoveryFinding,
  encryptionFindings,
  instanceFindings,
  keyFindings,
  namedFindings,
  notificationFinding,
  approvalsFinding,
  removalsFinding,
  spaceFinding,
} from '../../src/doctor/findings.js'
import { runParameters } from '@clientele/testing'

const findings = suite('findings of the doctor')

const seconds = (value: number): EpochSeconds => {
  if (!EpochSeconds.is(value)) throw new Error('no time')
  return value
}
const clientId = (value: string): ClientId => {
  if (!ClientId.is(value)) throw new Error('no client_id')
  return value
}
const now = seconds(2_000_000_000)

const key = (changes: Partial<KeyDescription> = {}): KeyDescription => ({
  kid: 'one',
  alg: 'RS256',
  use: 'sig',
  phase: 'signing',
  published_at: seconds(now - 100_000),
  since: seconds(now - 90_000),
  next: 'retires',
  next_at: seconds(now + 1_000),
  ...changes,
})

const notification = (changes: Partial<NotificationDescription> = {}): NotificationDescription => ({
  id: 'one',
  client_id: clientId('client'),
  uri: 'https://rp.example/logout',
  state: 'waits',
  created_at: seconds(now - 10),
  attempts: 0,
  note: '',
  ...changes,
})

const levels = (all: ReadonlyArray<{ readonly level: string }>): ReadonlyArray<string> => all.map(({ level }) => level)

findings('settings name clients that the master token registered', () => {
  const of = (registered_by: string | undefined) =>
    namedFindings([{ setting: 'first-party-clients', id: 'portal', registered_by }])
  assert.equal(levels(namedFindings([])), ['ok'])
  assert.equal(levels(of('master')), ['ok'])
  for (const by of ['nobody', 'token', 'operator_token', undefined]) {
    const [finding, ...more] = of(by)
    assert.equal([finding?.level, more.length], ['warning', 0])
    assert.match(String(finding?.text), 'first-party-clients names portal')
    assert.match(String(finding?.remedy), 'master token')
  }
})

findings('clients that the service will remove are a warning that says how many and when', () => {
  const none = { clients: 0, within_a_day: 0, within_a_week: 0 }
  assert.is(removalsFinding(none).level, 'ok')
  const { level, text, remedy } = removalsFinding({ clients: 1_300, within_a_day: 2, within_a_week: 30, first_at: now })
  assert.is(level, 'warning')
  assert.match(
    text,
    /^1,300 clients, parked or without an approval, .* 2033-05-18T03:33:20Z, 2 within a day, 30 within a week$/,
  )
  assert.match(remedy ?? '', 'clients restore')
})

findings('clients that wait for an approval are a warning that says how many', () => {
  assert.is(approvalsFinding(0, false).level, 'ok')
  const { level, text, remedy } = approvalsFinding(3, false)
  assert.equal([level, text], ['warning', 'Clients that wait for an approval: 3'])
  assert.match(approvalsFinding(1_000, true).text, ': 1000 or more')
  assert.match(remedy ?? '', 'clients list --state pending')
})

findings('keys: none that signs and a change that is late are faults', () => {
  assert.equal(levels(keyFindings([key()], now)), ['ok'])
  assert.equal(levels(keyFindings([], now)), ['fault'])
  assert.equal(levels(keyFindings([key({ use: 'enc', phase: 'published' })], now)), ['fault'])
  assert.equal(levels(keyFindings([key({ next_at: seconds(now - 61) })], now)), ['fault'])
  assert.equal(levels(keyFindings([key({ phase: 'retired' }), key()], now)), ['ok'])
})

findings('the clock: a change of a key in the future is a fault', () => {
  assert.is(clockFinding([key()], now).level, 'ok')
  assert.is(clockFinding([], now).level, 'ok')
  assert.is(clockFinding([key({ since: seconds(now + 61) })], now).level, 'fault')
})

findings('the clock: a row of the audit log in the future is a fault, and one of a moment ago is not', () => {
  assert.equal(auditClockFindings([], now), [])
  assert.equal(auditClockFindings([now - 86_400, now + 60], now), [])
  const [found, ...others] = auditClockFindings([now - 86_400, now + 86_400], now)
  assert.equal([found?.level, others], ['fault', []])
  assert.match(found?.text ?? '', /^The clock went back: .* row of \d{4}-.*Z, and it is \d{4}-/)
})

findings('discovery: an algorithm without a key is a fault, unless it needs none', () => {
  assert.is(discoveryFinding('It', ['RS256', 'none', 'HS256'], [key()]).level, 'ok')
  const missing = discoveryFinding('It', ['RS256', 'ES256'], [key(), key({ alg: 'ES256', phase: 'retired' })])
  assert.is(missing.level, 'fault')
  assert.match(missing.text, 'ES256')
})

findings('logouts: given up, late and never sent', () => {
  assert.is(notificationFinding([], false, now).level, 'ok')
  assert.is(notificationFinding([notification()], true, now).level, 'ok')
  assert.is(notificationFinding([notification()], false, now).level, 'fault')
  assert.is(notificationFinding([notification({ state: 'failed' })], true, now).level, 'warning')
  assert.is(notificationFinding([notification({ created_at: seconds(now - 3_601) })], true, now).level, 'warning')
})

findings('instances: settings that differ are a fault, versions a warning', () => {
  const one = { id: 'one', version: '1', differing_settings: [] }
  assert.equal(levels(instanceFindings([one])), ['ok'])
  assert.equal(levels(instanceFindings([one, { id: 'two', version: '2', differing_settings: ['base-url'] }])), [
    'ok',
    'fault',
    'warning',
  ])
})

findings('the encryption key: what another key sealed, and what no key opens', () => {
  const keys = { opens_with: ['one'], values: 10 }
  assert.equal(levels(encryptionFindings({ sealed: 0, unreadable: 0, keys })), ['ok'])
  assert.equal(levels(encryptionFindings({ sealed: 1, unreadable: 0, keys })), ['warning'])
  assert.equal(levels(encryptionFindings({ sealed: 0, unreadable: 1, keys })), ['fault', 'ok'])
  const two = { opens_with: ['one', 'two'], values: 10 }
  assert.equal(levels(encryptionFindings({ sealed: 0, unreadable: 0, keys: two })), ['ok', 'warning'])
})

findings('the disk: the less is free, the worse', () => {
  const rank = ['ok', 'warning', 'fault']
  const octets = fc.nat({ max: 2 ** 40 })
  fc.assert(
    fc.property(octets, octets, octets, (one, other, database) => {
      const [less, more] = one < other ? [one, other] : [other, one]
      assert.ok(rank.indexOf(spaceFinding(less, database).level) >= rank.indexOf(spaceFinding(more, database).level))
    }),
    runParameters(),
  )
})

findings('a finding that is not ok has a remedy', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.array(fc.string()), fc.nat(3), (sealed, unreadable, opens_with, values) => {
      for (const { level, remedy } of encryptionFindings({ sealed, unreadable, keys: { opens_with, values } }))
        assert.is(remedy === undefined, level === 'ok')
    }),
    runParameters(),
  )
})

findings.run()
