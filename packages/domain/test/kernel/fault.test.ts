import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { members } from '../../src/client/members.js'
import { fault, memberOfFault } from '../../src/kernel/faults.js'
import { type RuleId, ruleTexts } from '../../src/kernel/all-rules.js'
import { anyFault } from '../../src/kernel/refusals.js'
import { law } from '@clientele/testing'

const Fault = suite('fault')
const it = law(Fault)
const rules = Object.keys(ruleTexts).filter((name): name is RuleId => Object.hasOwn(ruleTexts, name))
const unescaped = (step: string): string => step.replace(/~1/g, '/').replace(/~0/g, '~')

it(
  'a pointer leads back to the path (RFC 6901 §3)',
  [fc.array(fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a', '#') }))],
  (path) => {
    const { pointer } = fault('string')(...path)
    assert.equal(pointer.split('/').slice(1).map(unescaped), path)
  },
)

it(
  'the member of a fault is the first step, without its language tag',
  [fc.constantFrom(...Object.keys(members)), fc.string()],
  (member, tag) => {
    assert.is(memberOfFault(fault('text')(member, 0)), member)
    assert.is(memberOfFault(fault('text')(`${member}#${tag}`)), member)
  },
)

it(
  'a description names the member and the rule, never a language tag',
  [fc.constantFrom(...rules), fc.string({ minLength: 4 })],
  (rule, tag) => assert.is(anyFault(rule)(`client_name#${tag}`).description, `client_name ${ruleTexts[rule].text}`),
)

for (const rule of rules)
  Fault(`the text of ${rule} fits a header: printable ASCII without quote or backslash`, () =>
    assert.match(ruleTexts[rule].text, /^[\x20\x21\x23-\x5B\x5D-\x7E]{1,200}$/),
  )

Fault.run()
