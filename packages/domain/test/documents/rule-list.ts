import {
  type RuleId,
  documentRules,
  operatorRules,
  ruleTexts,
  sessionRules,
  signedBodyRules,
} from '../../src/kernel/all-rules.js'
import { keyRules, registrationRules, uriRules, valueRules } from '../../src/kernel/rule-texts.js'
import { findPlaces, memberNames } from '../../src/rules/places.js'
import { withLinks } from './standards.js'
import { code } from './markdown.js'

// The rules of sessions are in docs/use/logout.md, those of documents in docs/use/documents.md, and those of
// signed requests in docs/use/register.md#open-banking.
export const ruleIds = Object.keys(ruleTexts).filter(
  (name): name is RuleId =>
    Object.hasOwn(ruleTexts, name) &&
    ![sessionRules, documentRules, signedBodyRules].some((rules) => Object.hasOwn(rules, name)),
)

/** Rules that no member of client metadata violates, and where they are reported. */
export const elsewhere: { readonly [Rule in RuleId]?: string } = {
  'more-faults': 'the body as a whole, if there are more than 49 other faults',
  'unknown-member':
    'the unknown member. `PATCH /manage/v1/clients/{id}` always reports it. Other requests drop the member, and report it only if they are refused for other faults and its name is nearly that of a known member',
  'json-object': 'the body as a whole, as an `invalid_request`',
  'repeated-name': 'any object in the body, as an `invalid_request`; the pointer names the repeated member',
  number: 'any number in the body, as an `invalid_request`; the pointer names the number, or a value that contains it',
  lifetime: '`lifetime` of `POST /direct-authz`',
  'operator-scope': '`scope` of `POST /operator-tokens`',
  'operator-token-name': '`name` of `POST /operator-tokens`',
  'operator-token-lifetime': '`lifetime` of `POST /operator-tokens`',
  'registration-scope': '`scope` of `POST /direct-authz`',
}

export const placesOf = findPlaces()

const groups: ReadonlyArray<readonly [title: string, rules: object]> = [
  ['Values', valueRules],
  ['URIs', uriRules],
  ['Keys and algorithms', keyRules],
  ['Registrations', registrationRules],
  ['Operator tokens', operatorRules],
]

const maxShown = 8

// HTML contains no Markdown.
const folded = (names: ReadonlyArray<string>): string =>
  `<details><summary>${names.length} members</summary><code>${names.join('</code> <code>')}</code></details>`

const places = (rule: RuleId): string => {
  const names = placesOf(rule)
  if (names.length === 0) return elsewhere[rule] ?? ''
  if (names.length === memberNames.length) return 'any member'
  return names.length <= maxShown ? names.map(code).join(' ') : folded(names)
}

const entry = (rule: RuleId): string =>
  [
    `- <a id="${rule}"></a>**${rule}** (${ruleTexts[rule].kind}): ${ruleTexts[rule].text} (${withLinks(ruleTexts[rule].reference)})  `,
    `  ${places(rule)}`,
  ].join('\n')

/** All rules, each with the members that can violate it. */
export const ruleList = (): string =>
  groups
    .map(([title, group]) => {
      const entries = ruleIds.filter((rule) => Object.hasOwn(group, rule)).map(entry)
      return `### ${title}\n\n${entries.join('\n')}`
    })
    .join('\n\n')
