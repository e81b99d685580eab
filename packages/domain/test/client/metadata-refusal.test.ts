import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { preferredClientIdTaken, refuseFaults, sectorIdentifierRefused } from '../../src/client/metadata.js'
import { fault } from '../../src/kernel/faults.js'
import { refusalOf } from '../documents/refusal-of.js'
import { sent, standardRules } from '@clientele/testing'

const Refusal = suite('refuseFaults')

const pointersOf = (body: object) => refusalOf(standardRules)(sent(body)).map(({ pointer }) => pointer)
const contacts = (count: number) => Array.from({ length: count }, (_, index) => fault('contact')('contacts', index))

Refusal('without a fault nothing is refused', () => assert.equal(refuseFaults([]), E.right(undefined)))

Refusal('50 faults are told; of more the first 49, and that there are more', () => {
  const reported = (count: number) => {
    const refused = refuseFaults(contacts(count))
    return E.isLeft(refused) ? refused.left.errors : []
  }
  assert.equal(reported(50), contacts(50))
  for (const count of [51, 200]) assert.equal(reported(count), [...contacts(49), fault('more-faults')()])
})

Refusal('what is no member of metadata is told last', () => {
  assert.equal(pointersOf({ preferred_client_id: '/', grant_types: [], data: 7, client_name: '' }), [
    '/client_name',
    '/data',
    '/preferred_client_id',
  ])
})

Refusal('what a statement says wrongly is told by the name with its language', () => {
  const refused = refuseFaults([fault('text')('client_name#fr')], ['client_name#fr'])
  assert.is(E.isLeft(refused) && refused.left.error, 'invalid_software_statement')
})

Refusal('what is found out later is told at its member, too', () => {
  assert.equal(preferredClientIdTaken.errors, [fault('preferred-client-id-taken')('preferred_client_id')])
  assert.equal(sectorIdentifierRefused.errors, [fault('sector-identifier')('sector_identifier_uri')])
})

Refusal('whether a secret is of use is not told while a member is faulty that decides it', () => {
  const client = {
    grant_types: [],
    token_endpoint_auth_method: 'none',
    preferred_client_secret: 's'.repeat(40),
  }
  assert.equal(pointersOf(client), ['/preferred_client_secret'])
  assert.equal(pointersOf({ ...client, userinfo_signed_response_alg: 'of-tomorrow' }), [
    '/userinfo_signed_response_alg',
  ])
  assert.equal(pointersOf({ ...client, userinfo_signing_alg_values_supported: 7 }), [
    '/userinfo_signing_alg_values_supported',
    '/preferred_client_secret',
  ])
})

Refusal.run()
