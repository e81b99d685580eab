import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memberOfFault } from '../../src/kernel/faults.js'
import { everyFaultOf, law, oneSample, sent, standardRules, validClientMetadata } from '@clientele/testing'
import { refusalOf } from './refusal-of.js'
import { clientMetadataDocument } from './client-metadata-document.js'
import { typeInWords } from './member-tables.js'
import { memberNames, ownRules } from '../../src/rules/places.js'
import { elsewhere, placesOf, ruleIds } from './rule-list.js'

const document = suite('client metadata document')
const it = law(document)

document('every member has one row, in the order in which faults are told', () => {
  const rows = [...clientMetadataDocument().matchAll(/^\| `(\w+)` \| .*\[/gm)].map(([, name]) => name)
  assert.equal(rows, memberNames)
})

document('every link within the page leads to one anchor, and every rule is one', () => {
  const text = clientMetadataDocument()
  const anchors = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id)
  assert.equal(anchors, ruleIds)
  for (const [, target] of text.matchAll(/\]\(#([^)]+)\)/g))
    assert.ok(anchors.includes(target) || text.toLowerCase().includes(`\n## ${target}\n`), target)
})

document('the type of every member has a name, and leads to the rule that says more of it', () => {
  for (const name of memberNames) assert.match(typeInWords(name), /\[[^\]]+\]\(#[a-z-]+\)$/, name)
})

document('every link to a standard has its target', () => {
  const text = clientMetadataDocument()
  for (const [, name] of text.matchAll(/\[((?:RFC|OpenID|OAuth|ETSI|FIPS|FAPI|UMA|JARM|CIBA)[^\]]*)\](?!:)/g))
    assert.ok(text.includes(`\n[${name}]: https://`), name)
})

document('every rule is told somewhere, and every member has a rule of its own', () => {
  for (const rule of ruleIds) assert.ok(placesOf(rule).length > 0 || elsewhere[rule] !== undefined, rule)
  const own = ownRules()
  for (const name of memberNames) assert.ok((own.get(name)?.size ?? 0) > 0, name)
})

const place = (pointer: string): string => memberOfFault({ pointer })

const documentedElsewhere = (body: unknown): ReadonlyArray<string> =>
  refusalOf(standardRules)(sent(body))
    .filter(({ pointer, rule }) => !placesOf(rule).some((name) => name.replace('#…', '') === place(pointer)))
    .map(({ pointer, rule }) => `${rule} at ${pointer}`)

document('each fault is told where the document says', () => {
  for (const { body } of everyFaultOf(oneSample(validClientMetadata()))) assert.equal(documentedElsewhere(body), [])
})

it(
  'the members of one body on another are told where the document says',
  [validClientMetadata(), validClientMetadata()],
  (one, other) => {
    assert.equal(documentedElsewhere({ ...one, ...other }), [])
  },
)

document.run()
