// The pages of the rules: the list, and a page for each, to which the faults of a refusal lead.
import { members } from '@clientele/domain/client'
import { type RuleId, isRuleId, ruleTexts } from '@clientele/domain/kernel'
import { exampleFault, findPlaces, referenceParts, ruleExamples } from '@clientele/domain/rules'
import { pageResponse } from '../pages/page-response.js'
import type { DeveloperPage, ShownRule } from '../pages/page.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { pagesBelow } from './published.js'
import { type Route, baseOf } from './route.js'

const ruleIds: ReadonlyArray<RuleId> = Object.keys(ruleTexts).filter(isRuleId)

const inDocument =
  'If a metadata document breaks it (client metadata that you publish at the URL that is your client_id), '
const refusesOrRepairs =
  'If a registration breaks this rule, the service refuses it, or repairs it and says so in its answer.'

const consequences = {
  safety: `If a registration breaks this rule, the service refuses it. ${inDocument}the service refuses the document.`,
  capability: `${refusesOrRepairs} ${inDocument}the service ignores that part and uses the rest. It refuses the document only if it cannot do without that part.`,
  looks: `${refusesOrRepairs} ${inDocument}the service shortens or ignores that part and uses the rest.`,
} as const

const maxShown = 160

const shortened = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > maxShown
    ? `${value.slice(0, maxShown)}... (${value.length} characters)`
    : value

/** An example as it is shown: of a long text, the beginning. */
const shown = (example: object | string): string =>
  typeof example === 'string' ? example : JSON.stringify(example, shortened, 2)

/** The members that can violate a rule, in few words where all of them can. */
type Places = (rule: RuleId) => ReadonlyArray<string>

const createPlaces = (): Places => {
  const places = findPlaces()
  return (rule) => {
    const found = places(rule)
    return found.length === Object.keys(members).length ? ['any member'] : found
  }
}

/** The page of a rule. */
const rulePage = (rule: RuleId, places: Places, all: string): DeveloperPage => {
  const { reason, request, given, policy, bad, good } = ruleExamples[rule]
  return {
    kind: 'rule',
    heading: rule,
    description: exampleFault(rule).description,
    reason,
    consequence: consequences[ruleTexts[rule].kind],
    reference: referenceParts(ruleTexts[rule].reference),
    members: places(rule),
    request,
    given,
    policy: policy === undefined ? undefined : shown(policy),
    bad: shown(bad),
    good: shown(good),
    all,
  }
}

/** The list of all rules. A rule that no member of client metadata violates stands with the request of its example. */
const rulesPage = (places: Places, all: string): DeveloperPage => {
  const link = (id: RuleId): ShownRule => ({ id, uri: `${all}/${id}` })
  const byPlace = new Map<string, ReadonlyArray<ShownRule>>()
  const add = (rule: RuleId, place: string): void =>
    void byPlace.set(place, [...(byPlace.get(place) ?? []), link(rule)])
  for (const rule of ruleIds) for (const member of places(rule)) add(rule, member)
  for (const rule of ruleIds) if (places(rule).length === 0) add(rule, ruleExamples[rule].request)
  return {
    kind: 'rules',
    heading: 'Rules',
    places: [...byPlace].map(([name, rules]) => ({ name, rules })),
    rules: ruleIds.map((rule) => ({
      ...link(rule),
      text: ruleTexts[rule].text,
      reference: referenceParts(ruleTexts[rule].reference),
    })),
  }
}

export const ruleRoutes = (
  settings: HttpSettings,
  { renderPage }: Pick<ServicePorts, 'renderPage'>,
): ReadonlyArray<Route> => {
  const all = `${settings.registration.issuer}/rules`
  // A start does not wait for them.
  let found: Places | undefined
  const places: Places = (rule) => (found ??= createPlaces())(rule)
  return pagesBelow(
    `${baseOf(settings)}/rules`,
    pageResponse(renderPage),
    () => rulesPage(places, all),
    (id) => (isRuleId(id) ? () => rulePage(id, places, all) : undefined),
  )
}
