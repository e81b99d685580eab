import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { errorOf, reasonOfFailure, sqlState, verdictOf, verdictOnConnecting } from '../src/failures.js'

const failing = suite('what an error says')

const coded = (code: string, message = 'it failed'): Error => Object.assign(new Error(message), { code })

failing('a broken connection leaves a commit in doubt, whatever Node calls it', () => {
  for (const code of ['EPIPE', 'ECONNRESET', 'ETIMEDOUT', '57P01', '08006'])
    assert.is(verdictOf(coded(code)), 'in_doubt')
  assert.is(verdictOf(new Error('Connection terminated unexpectedly')), 'in_doubt')
  for (const code of ['XX000', 'P0001', '23505']) assert.is(verdictOf(coded(code)), 'undone')
  assert.is(verdictOf(coded('53200', 'out of shared memory')), 'crowded')
})

failing('only what all hosts refuse is final', () => {
  const wrong = { name: 'a', error: coded('28P01') }
  const away = { name: 'b', error: coded('ECONNREFUSED') }
  const unverified = { name: 'c', error: coded('DEPTH_ZERO_SELF_SIGNED_CERT') }
  assert.is(verdictOnConnecting([wrong, unverified]), 'undone')
  for (const other of [wrong, unverified]) assert.is(verdictOnConnecting([other, away]), 'elsewhere')
})

failing('several hosts are named with what each says; one is not', () => {
  const alone = coded('ECONNREFUSED')
  assert.is(errorOf([{ name: 'a', error: alone }]), alone)
  const twice = new AggregateError([new Error('by IPv4'), new Error('by IPv6')])
  const both = errorOf([
    { name: 'a', error: twice },
    { name: 'b', error: coded('25006', 'a standby') },
  ])
  assert.is(String(both), 'Error: a: by IPv4, by IPv6; b: a standby')
  assert.is(sqlState(both), '25006')
  assert.is(reasonOfFailure(both), 'the database takes no writes: it is a standby, or read-only')
})

failing.run()
