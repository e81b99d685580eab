import { clientIdUrl } from '../client/client-id-url.js'
import { type RuleCodec, broken, optional, ruleCodec, valueThat } from '../codec/rule-codec.js'
import { type DocumentPolicy, type DriftAction, documentPolicy, driftActions } from './document-policy.js'
import { hostName, listOf, object, oneOf, visibleTexts } from './policy-codecs.js'

const year = 31_536_000
const seconds = optional(
  valueThat(
    `must be a whole number of seconds from 1 to ${year} (a year)`,
    (value): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= year,
  ),
)

const hosts = optional(
  listOf('must be a host in lower case such as app.example, or *.app.example for all below it', (entry) =>
    hostName.test(entry),
  ),
)

// Without a slash after the host, https://app.example would be the beginning of https://app.example.evil.example/
const urlPrefixes = optional(
  listOf(
    'must be the beginning of a URL with https:// and a host in lower case, and the slash after it, such as https://app.example/clients/',
    (entry) => clientIdUrl(entry).kind === 'url',
  ),
)

const action = oneOf<DriftAction>(driftActions)

const drift = object({
  cosmetic: action,
  unreachable: action,
  name: action,
  redirect_host: action,
  keys_host: action,
  weaker_method: action,
  withdrawn: action,
})

const file = object({
  accept: oneOf<DocumentPolicy['accept']>(['none', 'listed', 'any']),
  allowed_hosts: hosts,
  denied_hosts: hosts,
  allowed_url_prefixes: urlPrefixes,
  denied_url_prefixes: urlPrefixes,
  scope: optional(visibleTexts),
  least_freshness: seconds,
  greatest_freshness: seconds,
  unreachable_for: seconds,
  on_drift: optional(drift),
})

type DocumentFile = typeof file._A

const isCrossed = (part: DocumentFile): boolean => {
  const { least_freshness, greatest_freshness } = documentPolicy(part)
  return least_freshness > greatest_freshness
}

/** The part metadata_documents of a policy file. */
export const documentPart: RuleCodec<DocumentFile, string> = ruleCodec('metadata_documents', (value) => {
  const rules = file.brokenRules(value)
  if (rules.length > 0 || !file.is(value) || !isCrossed(value)) return rules
  return [broken('must be at least least_freshness', 'greatest_freshness')]
})
