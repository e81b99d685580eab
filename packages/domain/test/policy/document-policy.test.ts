import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeRegistrationPolicy } from '../../src/policy/decode.js'
import { documentPolicy } from '../../src/policy/policy.js'

const Policy = suite('metadata_documents')

const pointersOf = (metadata_documents: unknown): ReadonlyArray<string> => {
  const decoded = decodeRegistrationPolicy({ metadata_documents })
  return E.isLeft(decoded) ? decoded.left.map(({ pointer }) => pointer.replace('/metadata_documents', '')) : []
}

Policy('all faults are reported at once', () => {
  assert.equal(
    pointersOf({
      accept: 'all',
      allowed_hosts: ['App.example'],
      denied_hosts: ['[::1]'],
      allowed_url_prefixes: ['https://app.example', 'https://app.example/', 'http://app.example/'],
      denied_url_prefixes: 'https://app.example/',
      scope: ['a b'],
      least_freshness: 0,
      unreachable_for: 31_536_001,
      on_drift: { name: 'refuse', other: 'ask' },
      more: true,
    }),
    [
      '/accept',
      '/allowed_hosts/0',
      '/denied_hosts/0',
      '/allowed_url_prefixes/0',
      '/allowed_url_prefixes/2',
      '/denied_url_prefixes',
      '/scope/0',
      '/least_freshness',
      '/unreachable_for',
      '/on_drift/name',
      '/on_drift/other',
      '/more',
    ],
  )
})

Policy('the bounds of freshness are in order, also with a default one', () => {
  assert.equal(pointersOf({ least_freshness: 61, greatest_freshness: 60 }), ['/greatest_freshness'])
  assert.equal(pointersOf({ greatest_freshness: 299 }), ['/greatest_freshness'])
  assert.equal(pointersOf({ least_freshness: 60, greatest_freshness: 60 }), [])
})

Policy('without the part, no document is accepted', () => {
  assert.is(documentPolicy().accept, 'none')
  assert.is(documentPolicy({ accept: undefined }).accept, 'none')
})

Policy('an action replaces the default one, and leaves the others', () => {
  const { on_drift } = documentPolicy({ on_drift: { name: 'suspend', withdrawn: undefined } })
  assert.equal([on_drift.name, on_drift.keys_host, on_drift.withdrawn], ['suspend', 'ask', 'suspend'])
})

Policy.run()
