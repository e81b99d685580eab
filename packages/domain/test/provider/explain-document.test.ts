import { answeredWith, law } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ClientIdUrl } from '../../src/client/ids.js'
import { decideDocument, explainDocument, sameRegistration } from '../../src/provider/decide-document.js'
import type { DocumentSettings } from '../../src/provider/documents.js'
import { epochSeconds } from '../../src/kernel/time.js'
import { withdrawnTexts } from '../../src/life-cycle/states.js'
import { type GivenDocumentPolicy, noPolicy } from '../../src/policy/policy.js'

const Explain = suite('explainDocument')
const it = law(Explain)

const id = 'https://app.example/client.json?v=1'
const valid = { client_id: id, redirect_uris: ['https://app.example/callback'] }

const settings = (metadata_documents: GivenDocumentPolicy): DocumentSettings => ({
  mode: { kind: 'managed' },
  outboundFetches: true,
  policy: { ...noPolicy, metadata_documents },
})

const seen = (body: unknown) => answeredWith(body, epochSeconds(0))

const explain = (policy: GivenDocumentPolicy, body: unknown) => {
  if (!ClientIdUrl.is(id)) throw new Error(id)
  return explainDocument(settings(policy), id, seen(body))
}

const policies: fc.Arbitrary<GivenDocumentPolicy> = fc.record({
  accept: fc.constantFrom('none' as const, 'listed' as const, 'any' as const),
  allowed_hosts: fc.subarray(['app.example']),
  denied_hosts: fc.subarray(['app.example']),
})

const bodies = fc.oneof(fc.constant(valid), fc.anything())

it(
  'a document is refused where the decision refuses it, by any policy and for any body',
  [policies, bodies],
  (policy, body) => {
    if (!ClientIdUrl.is(id)) throw new Error(id)
    const { refusal } = explain(policy, body)
    assert.is(refusal === undefined, E.isRight(decideDocument(settings(policy))(id, seen(body))))
  },
)

it('what the document is does not depend on whether the policy accepts its URL', [policies, bodies], (policy, body) => {
  assert.equal(explain(policy, body).decided, explain({ accept: 'any' }, body).decided)
})

Explain('a document that would wait for an approval is explained so, unless a list names it', () => {
  if (!ClientIdUrl.is(id)) throw new Error(id)
  const explained = (part: GivenDocumentPolicy) => {
    const { policy, ...others } = settings(part)
    return explainDocument({ ...others, policy: { ...policy, approve: ['documents'] } }, id, seen(valid)).refusal
  }
  assert.is(explained({ accept: 'any' }), withdrawnTexts.pending)
  assert.is(explained({ accept: 'any', allowed_hosts: ['app.example'] }), undefined)
  assert.is(explained({ accept: 'listed', allowed_url_prefixes: ['https://app.example/'] }), undefined)
  assert.match(explained({ accept: 'none' }) ?? '', 'accepts no documents')
})

it('the registration has every member but client_id, and only an object has one', [fc.anything()], (body) => {
  const same = sameRegistration(body)
  if (same === undefined) return
  assert.not.ok(Object.hasOwn(same, 'client_id'))
  assert.equal(
    Object.keys(same),
    Object.keys(Object(body)).filter((name) => name !== 'client_id'),
  )
})

Explain('a policy that accepts nothing says so, and the query is remarked on', () => {
  const { refusal, remarks, policy } = explain({}, valid)
  assert.match(refusal ?? '', 'accepts no documents')
  assert.equal([remarks, policy.accepted], [['query'], false])
  assert.match(explain({ accept: 'any', denied_hosts: ['app.example'] }, valid).refusal ?? '', 'ask the operator')
})

Explain.run()
