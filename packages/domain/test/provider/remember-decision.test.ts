import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  answeredWith,
  checkLaw,
  clientIdUrlText,
  documentLaws,
  documentRules,
  epochSecond,
  law,
  validClientMetadata,
} from '@clientele/testing'
import { decideDocument, rememberDecision, rememberJudgement } from '../../src/provider/decide-document.js'
import type { DocumentSettings, JudgedDocument } from '../../src/provider/documents.js'
import { anyFault } from '../../src/kernel/refusals.js'
import { noPolicy } from '../../src/policy/policy.js'

const Remember = suite('rememberDecision')

for (const each of documentLaws)
  Remember(each.statement, () => checkLaw(each, { ...documentRules, decideDocument: rememberDecision }))

const url = clientIdUrlText()
const seen = fc
  .tuple(fc.oneof(validClientMetadata(), fc.anything()), epochSecond(), fc.constantFrom(200, 404, 503))
  .map(([body, at, status]) => ({ ...answeredWith(body, at), status }))

const settings: DocumentSettings = {
  mode: { kind: 'managed' },
  outboundFetches: true,
  policy: { ...noPolicy, metadata_documents: { accept: 'any', scope: ['openid'] } },
}

law(Remember)(
  'the decisions are those of decideDocument, however often and in whatever order',
  [fc.array(fc.tuple(url, seen), { minLength: 1, maxLength: 3 })],
  (documents) => {
    const remembered = rememberDecision(settings)
    const uses = documents.flatMap(([id]) => documents.map(([, answer]) => [id, answer] as const))
    for (const [id, answer] of [...uses, ...[...uses].reverse(), ...uses])
      assert.equal(remembered(id, answer), decideDocument(settings)(id, answer))
  },
)

const faults: JudgedDocument = E.left([anyFault('document-json')('client_id')])

Remember('a body is judged again only for another URL or statement', () => {
  const judged: Array<string> = []
  const judge = rememberJudgement((id) => {
    judged.push(id)
    return faults
  })
  const [one, other] = fc.sample(url, { numRuns: 2, seed: 1 })
  if (one === undefined || other === undefined) throw new Error('no URL')
  const body = {}
  const statement = O.some(E.right({}))
  for (const id of [one, one, other, other]) judge(id, body, O.none)
  assert.equal(judged, [one, other])
  judge(other, body, statement)
  judge(other, body, statement)
  judge(other, {}, statement)
  assert.is(judged.length, 4)
})

Remember.run()
