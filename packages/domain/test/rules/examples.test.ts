import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clientIdUrl } from '../../src/client/ids.js'
import { epochSeconds } from '../../src/kernel/time.js'
import { documentRules, ruleTexts, signedBodyRules, type RuleId } from '../../src/kernel/all-rules.js'
import { parseWellFormedJson } from '../../src/kernel/json.js'
import { isPlainObject } from '../../src/kernel/json-object.js'
import { noPolicy } from '../../src/policy/policy.js'
import { decideDocument } from '../../src/provider/decide-document.js'
import type { SeenDocument } from '../../src/provider/seen-documents.js'
import { decideSignedBody, type SignedBodyFacts } from '../../src/registration/signed-body.js'
import { type RuleExample, exampleFault, referenceParts, ruleExamples } from '../../src/rules/index.js'
import { settingsOfDoors } from '@clientele/testing'

// The examples of all other rules run in packages/adapters-http/test/published/rule-examples.test.ts.
const examples = suite('examples of rules')

const at = epochSeconds(1_700_000_100_000)
const isOf = (rules: object, rule: string): boolean => Object.hasOwn(rules, rule)
const named = <Rules extends object>(rules: Rules): ReadonlyArray<RuleId> =>
  Object.keys(ruleTexts).filter((rule): rule is RuleId => isOf(rules, rule))

const seenAt = (url: unknown, example: RuleExample['bad']): SeenDocument => {
  const answered = { kind: 'answered', at, statement: O.none, cache: {} } as const
  if (typeof example !== 'string') return { ...answered, status: 200, media_type: 'application/json', body: example }
  const [, status, media_type = '', text = ''] = /^HTTP\/1.1 (\d+) .*\nContent-Type: (.*)\n\n(.*)$/.exec(example) ?? []
  const body = parseWellFormedJson(text)
  assert.ok(status !== undefined, String(url))
  return { ...answered, status: Number(status), media_type, body: E.isRight(body) ? body.right : undefined }
}

/** Where the document stands: at its client_id, unless the example says otherwise. */
const urlOf = (rule: RuleId, example: RuleExample['bad']): unknown =>
  typeof example === 'string' || rule === 'document-client-id'
    ? 'https://app.example/client.json'
    : example['client_id']

const faultsOfDocument = (rule: RuleId, example: RuleExample['bad']): ReadonlyArray<object> => {
  const read = clientIdUrl(urlOf(rule, example))
  if (read.kind === 'faulty') return read.faults
  assert.is(read.kind, 'url')
  if (read.kind !== 'url') return []
  const settings = { ...settingsOfDoors, policy: { ...noPolicy, ...ruleExamples[rule].policy } }
  const decided = decideDocument(settings)(read.url, seenAt(read.url, example))
  return E.isLeft(decided) ? decided.left : []
}

examples('a bad document is refused for its rule alone, and the good one becomes a client', () => {
  for (const rule of named(documentRules)) {
    const { bad, good } = ruleExamples[rule]
    assert.equal(faultsOfDocument(rule, bad), [exampleFault(rule)], rule)
    assert.equal(faultsOfDocument(rule, good), [], rule)
  }
})

const signatureFaults = ['signed-body-signature', 'signed-body-keys', 'signed-body-keys-off'] as const

const faultsOfSigned = (rule: RuleId, example: RuleExample['bad'], isBad: boolean): ReadonlyArray<object> => {
  if (typeof example === 'string') throw new Error(`${rule} has claims`)
  const { header = {}, claims = {} } = example
  assert.ok(isPlainObject(header) && isPlainObject(claims), rule)
  const facts: SignedBodyFacts = {
    header: header as SignedBodyFacts['header'],
    claims: claims as SignedBodyFacts['claims'],
    statement: E.right({ software_id: 'shop', software_redirect_uris: ['https://app.example/callback'] }),
    signatureFault: isBad ? signatureFaults.find((each) => each === rule) : undefined,
    at,
    registered: rule === 'signed-body-other-software' ? (isBad ? 'bank' : 'shop') : undefined,
  }
  const { signed_bodies: policy } = ruleExamples[rule].policy ?? {}
  if (policy === undefined) throw new Error(`${rule} has no policy`)
  const decided = decideSignedBody(policy)(facts)
  return E.isLeft(decided) ? decided.left.errors : []
}

examples('a bad signed request is refused for its rule alone, and the good one becomes a body', () => {
  for (const rule of named(signedBodyRules)) {
    // Its text is no JWT, so that no decision is asked.
    if (rule === 'signed-body') continue
    const { bad, good } = ruleExamples[rule]
    assert.equal(faultsOfSigned(rule, bad, true), [exampleFault(rule)], rule)
    assert.equal(faultsOfSigned(rule, good, false), [], rule)
  }
})

examples('every reason is a sentence of its own words, and every given circumstance one too', () => {
  for (const rule of named(ruleTexts)) {
    const { reason, given = 'So.' } = ruleExamples[rule]
    for (const text of [reason, given]) assert.match(text, /^[A-Zh].*\.$/, rule)
    assert.not.ok(reason.includes(ruleTexts[rule].text), rule)
  }
})

examples('every reference to a standard leads to it', () => {
  for (const rule of named(ruleTexts)) {
    const { reference } = ruleTexts[rule]
    const parts = referenceParts(reference)
    assert.is(parts.map(({ text }) => text).join(''), reference)
    if (/§|FIPS|Open Banking/.test(reference)) assert.match(parts[0]?.uri ?? '', /^https:\/\//, rule)
  }
  assert.equal(
    referenceParts('RFC 7591 §2.1, RFC 6749 §A.4')[0]?.uri,
    'https://www.rfc-editor.org/rfc/rfc7591#section-2.1',
  )
  assert.equal(
    referenceParts('RFC 7591 §2.1, RFC 6749 §A.4')[2]?.uri,
    'https://www.rfc-editor.org/rfc/rfc6749#appendix-A.4',
  )
})

examples.run()
