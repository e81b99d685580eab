import {
  type RuleId,
  keyRules,
  operatorRules,
  registrationRules,
  ruleTexts,
  uriRules,
  valueRules,
} from '../../src/kernel/rule-texts.js'
import { code } from './markdown.js'
import { elsewhere, memberNames, placesOf, ruleIds } from './rule-places.js'
import { withLinks } from './standards.js'

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
