import {
  type MemberName,
  choiceMembers,
  cibaMembers,
  credentialMembers,
  defaultInWords,
  federationMembers,
  isMemberName,
  logoutMembers,
  members,
  mutualTlsMembers,
  nfvMembers,
  oauthMembers,
  openidMembers,
  ownMembers,
  redirectMember,
  requestMembers,
  responseMembers,
} from '../../src/client/members.js'
import type { RuleId } from '../../src/kernel/all-rules.js'
import { ownRules } from '../../src/rules/places.js'
import { withLinks } from './standards.js'
import { table } from './markdown.js'

const rulesByMember = ownRules()

/** The name of a value that satisfies the rule; the first rule of a member names its type. */
const kinds: ReadonlyArray<readonly [RuleId, string, string]> = [
  ['request-uri', 'request URI', 'request URIs'],
  ['https-uri', 'https URI', 'https URIs'],
  ['web-uri', 'web URI', 'web URIs'],
  ['uri', 'URI', 'URIs'],
  ['distinguished-name', 'distinguished name', 'distinguished names'],
  ['contact', 'contact', 'contacts'],
  ['long-text', 'long text', 'long texts'],
  ['text', 'text', 'texts'],
  ['scope', 'scope values', 'scope values'],
  ['token', 'name', 'names'],
  ['grant-type', 'grant type', 'grant types'],
  ['response-type', 'response type', 'response types'],
  ['response-mode', 'response mode', 'response modes'],
  ['registration-type', 'registration type', 'registration types'],
  ['application-type', 'application type', 'application types'],
  ['subject-type', 'subject type', 'subject types'],
  ['auth-method', 'authentication method', 'authentication methods'],
  ['token-delivery-mode', 'delivery mode', 'delivery modes'],
  ['signing-algorithm-or-none', 'signature, or none', 'signatures'],
  ['signing-algorithm', 'signature', 'signatures'],
  ['asymmetric-algorithm', 'asymmetric signature', 'asymmetric signatures'],
  ['encryption-algorithm', 'key encryption', 'key encryptions'],
  ['content-encryption', 'content encryption', 'content encryptions'],
  ['host-name', 'domain name', 'domain names'],
  ['ip-address', 'IP address', 'IP addresses'],
  ['jwk-set', 'key set', 'key sets'],
  ['software-statement', 'JWT', 'JWTs'],
  ['data', 'JSON object', 'JSON objects'],
  ['credential-formats', 'credential formats', 'credential formats'],
  ['boolean', 'true or false', 'booleans'],
  ['seconds', 'seconds', 'seconds'],
]

/** The type in words, with a link to the rule that describes it. */
export const typeInWords = (name: MemberName): string => {
  const rules = rulesByMember.get(name) ?? new Set()
  const [rule = '', one = '', many = ''] = kinds.find(([each]) => rules.has(each)) ?? []
  return rules.has('array') ? `list of [${many}](#${rule})` : `[${one}](#${rule})`
}

const groups: ReadonlyArray<readonly [title: string, members: object]> = [
  ['OAuth', { ...redirectMember, ...oauthMembers }],
  ['OpenID Connect', openidMembers],
  ['Logout', logoutMembers],
  ['Requests and tokens', requestMembers],
  ['Mutual TLS', mutualTlsMembers],
  ['Signed and encrypted responses', responseMembers],
  ['Backchannel authentication', cibaMembers],
  ['Federation and UMA', federationMembers],
  ['Network functions', nfvMembers],
  ['Verifiable credentials', credentialMembers],
  ['What the client supports', choiceMembers],
  ['Custom data and software statement', ownMembers],
]

const row = (name: MemberName): ReadonlyArray<string> => {
  const { about, reference } = members[name]
  return [`\`${name}\``, typeInWords(name), defaultInWords(members[name]) ?? '', about, withLinks(reference)]
}

/** One table for each group of members. */
export const memberTables = (): string =>
  groups
    .map(([title, group]) => {
      const rows = Object.keys(group).filter(isMemberName).map(row)
      return `### ${title}\n\n${table(['member', 'type', 'default', 'meaning', 'defined in'], rows)}`
    })
    .join('\n\n')
