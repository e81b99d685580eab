// The setting upstreams: the providers at which end-users sign in, each of which a preset may describe in part.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { originOf, uriFault, uriParts } from '../client/uris.js'
import {
  type BrokenRule,
  type RuleCodec,
  broken,
  listThat,
  nested,
  optional,
  ruleCodec,
  valueThat,
} from '../kernel/faults.js'
import { isPlainObject, ownMember } from '../kernel/json-object.js'
import { isSpaceDelimited, objectOf, spaceDelimitedValues } from '../kernel/values.js'
import { type PolicyFault, decodeByTexts } from '../policy/decode.js'
import {
  type RequiredClaims,
  type UpstreamMapping,
  isEndUserClaim,
  namesTo,
  requiredClaims,
  requirementsOf,
} from './login.js'
import { type PlainOAuth, isAddress } from './plain-oauth.js'

/** What is known of a provider that many use: the members of its entry, but those that are of the operator. */
export type UpstreamPreset = {
  /** An issuer may have the places of `needs`, such as {tenant}. */
  readonly members: Readonly<Record<string, unknown>>
  /** Further members of the entry, each with the texts that it may be, and their rule. */
  readonly needs: Readonly<Record<string, { readonly pattern: RegExp; readonly rule: string }>>
}

export type UpstreamPresets = Readonly<Record<string, UpstreamPreset>>

export type ClientAuthentication = 'client_secret_basic' | 'client_secret_post'

/** A provider of the settings. */
export type UpstreamEntry = UpstreamMapping & {
  /** The end of its redirect URI. */
  readonly id: string
  /** As the page names it, where the end-user chooses one. */
  readonly name: string
  /** Of an OpenID provider its issuer; `sub` here is made of it (OpenID Connect Core §5.7). */
  readonly issuer: string
  readonly client_id: string
  /** The path of the file. */
  readonly client_secret_file: string
  readonly client_authentication: ClientAuthentication
  readonly scope: ReadonlyArray<string>
  readonly required: RequiredClaims
  /** Of an OAuth 2.0 server that is no OpenID provider. */
  readonly plain: PlainOAuth | undefined
}

/** OpenID Connect Core §5.4: the claims of the scope values profile and email. */
export const standardClaims: ReadonlyArray<string> = [
  ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'profile', 'picture'],
  ...['website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'updated_at', 'email', 'email_verified'],
]

const textThat = (rule: string, holds: (text: string) => boolean): RuleCodec<string, string> =>
  valueThat(rule, (value): value is string => typeof value === 'string' && holds(value))

const visible = /^[\x21-\x7e]{1,255}$/
const loopbackHost = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/

// Requests go to it, and end-users: RFC 6749 §3.1.2.1 and §3.2 require TLS.
const isSecureUrl = (text: string): boolean => {
  const { scheme, host } = uriParts(text)
  return uriFault(text) === undefined && (scheme === 'https' || (scheme === 'http' && loopbackHost.test(host)))
}

const endpoint = textThat('must be an https URL without a fragment; http on loopback only', isSecureUrl)
const memberName = textThat('must be the name of a member of the end-user', (text) => visible.test(text))

const common = {
  name: textThat('must be the name that the page shows, of 1 to 60 characters', (text) =>
    /^(?=.*\S)[^\p{C}]{1,60}$/u.test(text),
  ),
  // OpenID Connect Discovery §3, RFC 8414 §2: no query and no fragment
  issuer: textThat(
    'must be the issuer of the provider, an https URL without a query; http on loopback only',
    (text) => isSecureUrl(text) && !text.includes('?'),
  ),
  client_id: textThat('must be the client_id of this service there', (text) => visible.test(text)),
  client_secret_file: textThat('must be the path of the file with the client_secret', (text) =>
    /^[^\0\n]*[^\0\n/\\]$/.test(text),
  ),
  client_authentication: optional(
    valueThat(
      'must be client_secret_basic or client_secret_post',
      (value): value is ClientAuthentication => value === 'client_secret_basic' || value === 'client_secret_post',
    ),
  ),
  required_claims: optional(requiredClaims),
}

const openId = {
  ...common,
  kind: optional(valueThat('must be openid or oauth2', (value): value is 'openid' => value === 'openid')),
  scope: optional(
    textThat(
      'must be scope values separated by spaces, with openid: without it, the provider does not tell who signs in',
      (text) => isSpaceDelimited(text) && spaceDelimitedValues(text).includes('openid'),
    ),
  ),
  subject_claim: optional(textThat('must be the name of a claim', (text) => visible.test(text))),
  claims: optional(
    listThat(
      'must be a JSON array with the names of claims',
      textThat('must be the name of a claim', (text) => visible.test(text)),
    ),
  ),
}

type ClaimMembers = Readonly<Record<string, string>>

const claimMembers: RuleCodec<ClaimMembers, string> = ruleCodec('claim_members', (value) =>
  isPlainObject(value)
    ? Object.entries(value).flatMap(([claim, member]) => [
        ...(isEndUserClaim(claim) ? [] : [broken('must be left out: it is no claim about the end-user', claim)]),
        ...memberName.brokenRules(member).map(nested(claim)),
      ])
    : [broken('must be a JSON object with the names of claims, and of the members that they are')],
)

const plain = {
  ...common,
  kind: valueThat('must be openid or oauth2', (value): value is 'oauth2' => value === 'oauth2'),
  scope: optional(textThat('must be scope values separated by spaces', isSpaceDelimited)),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  user_endpoint: endpoint,
  emails_endpoint: optional(endpoint),
  subject_member: memberName,
  claim_members: optional(claimMembers),
}

const unknown = 'is unknown for this kind of provider, or with this preset: leave it out'
const entryOf = objectOf<string>({ object: 'must be a JSON object', unknown })
const openIdEntry = entryOf(openId)
const plainEntry = entryOf(plain)

type OpenIdEntry = (typeof openIdEntry)['_A']
type PlainEntry = (typeof plainEntry)['_A']

const isHttp = (url: unknown): url is string => typeof url === 'string' && uriParts(url).scheme === 'http'

type Entry = Readonly<Record<string, unknown>>

// The service connects to loopback where the issuer is: no other URL of the settings opens more of this machine.
const elsewhereOnLoopback = (entry: Entry): ReadonlyArray<BrokenRule<string>> => {
  const { issuer } = entry
  return ['authorization_endpoint', 'token_endpoint', 'user_endpoint', 'emails_endpoint'].flatMap((name) => {
    const url = ownMember(entry, name)
    return isHttp(url) && typeof issuer === 'string' && originOf(url) !== originOf(issuer)
      ? [broken('must have scheme, host and port of the issuer, because it is on loopback', name)]
      : []
  })
}

const namesIn = (value: unknown): ReadonlyArray<string> => (isPlainObject(value) ? Object.keys(value) : [])

// The address of the endpoint for addresses is the only one: docs/decisions/several-providers.md.
const secondAddresses = (entry: Entry): ReadonlyArray<BrokenRule<string>> =>
  Object.hasOwn(entry, 'emails_endpoint')
    ? namesIn(ownMember(entry, 'claim_members'))
        .filter(isAddress)
        .map((claim) =>
          broken('must be left out beside emails_endpoint, which gives the address', 'claim_members', claim),
        )
    : []

// Such a server gives no other claims, also no sub, so that the requirement would never hold.
const neverGiven = (entry: Entry): ReadonlyArray<BrokenRule<string>> => {
  const given = [
    ...namesIn(ownMember(entry, 'claim_members')),
    ...(Object.hasOwn(entry, 'emails_endpoint') ? ['email', 'email_verified'] : []),
  ]
  return namesIn(ownMember(entry, 'required_claims'))
    .filter((claim) => {
      const [name = ''] = namesTo(claim)
      return !given.includes(name) || (name === 'email' && !given.includes('email_verified'))
    })
    .map((claim) =>
      broken(
        'must be a claim of claim_members, email only beside email_verified, or the email of an emails_endpoint: nobody could sign in',
        'required_claims',
        claim,
      ),
    )
}

const noPreset: UpstreamPreset = { members: {}, needs: {} }

const missingIn = (entry: Entry, { needs }: UpstreamPreset): ReadonlyArray<BrokenRule<string>> =>
  Object.entries(needs).flatMap(([name, { pattern, rule }]) =>
    textThat(rule, (text) => pattern.test(text))
      .brokenRules(ownMember(entry, name))
      .map(nested(name)),
  )

const textIn = (entry: Entry, name: string): string | undefined => {
  const value = ownMember(entry, name)
  return typeof value === 'string' ? value : undefined
}

// `sub` is made of the issuer (OpenID Connect Core §5.7): an end-user of another server is none of the issuer of the preset.
const withoutIssuer = (given: Entry, { members }: UpstreamPreset): ReadonlyArray<BrokenRule<string>> =>
  Object.hasOwn(given, 'preset') &&
  !Object.hasOwn(given, 'issuer') &&
  ['authorization_endpoint', 'token_endpoint', 'user_endpoint'].some(
    (name) => Object.hasOwn(given, name) && given[name] !== ownMember(members, name),
  )
    ? [broken('must be named beside endpoints that are not those of the preset: sub is made of it', 'issuer')]
    : []

/** The entry with what its preset says, and the places of the issuer filled; what the entry says itself counts before. */
const completed = (given: Entry, { members, needs }: UpstreamPreset): Entry => {
  const all: Entry = { ...members, ...given }
  const issuer = ownMember(all, 'issuer')
  const filled =
    typeof issuer === 'string'
      ? issuer.replace(/\{(\w+)\}/g, (place, name: string) => textIn(given, name) ?? place)
      : issuer
  const own = Object.entries(all).filter(([name]) => name !== 'preset' && !Object.hasOwn(needs, name))
  return { ...Object.fromEntries(own), ...(filled === undefined ? {} : { issuer: filled }) }
}

const presetOf = (presets: UpstreamPresets, entry: Entry): UpstreamPreset | undefined => {
  const name = ownMember(entry, 'preset')
  if (name === undefined) return noPreset
  return typeof name === 'string' && Object.hasOwn(presets, name) ? presets[name] : undefined
}

const faultsOfEntry =
  (presets: UpstreamPresets) =>
  (value: unknown): ReadonlyArray<BrokenRule<string>> => {
    if (!isPlainObject(value)) return [broken('must be a JSON object')]
    const preset = presetOf(presets, value)
    if (preset === undefined) return [broken(`must be one of ${Object.keys(presets).join(', ')}`, 'preset')]
    const missing = missingIn(value, preset)
    const entry = completed(value, preset)
    // One cause has one fault: the issuer of the preset is made of what is missing.
    const judged = missing.length > 0 ? { ...entry, issuer: 'https://issuer.example' } : entry
    const faults =
      ownMember(entry, 'kind') === 'oauth2'
        ? [
            ...plainEntry.brokenRules(judged),
            ...elsewhereOnLoopback(judged),
            ...secondAddresses(judged),
            ...neverGiven(judged),
          ]
        : openIdEntry.brokenRules(judged)
    return [...missing, ...withoutIssuer(value, preset), ...faults]
  }

const maxProviders = 20
const idRule =
  'must have another name, of 1 to 32 lower-case letters, digits and hyphens, a letter first: it is the end of its redirect URI'

type Entries = Readonly<Record<string, Entry>>

/** A provider by its id, with what its preset says. */
type Member = readonly [id: string, entry: Entry]

const membersOf = (presets: UpstreamPresets, entries: Readonly<Record<string, unknown>>): ReadonlyArray<Member> =>
  Object.entries(entries).flatMap(([id, given]) =>
    isPlainObject(given) ? [[id, completed(given, presetOf(presets, given) ?? noPreset)] as const] : [],
  )

// The value of a claim is of all providers that assert it: OpenID Connect Core §5.7 has only iss and sub together as a name.
const sharedClaims = (members: ReadonlyArray<Member>): ReadonlyArray<BrokenRule<string>> =>
  members.flatMap(([id, entry]) =>
    members.length > 1 && Object.hasOwn(entry, 'subject_claim')
      ? [
          broken(
            'must be left out where there are several providers: sub would not be of its issuer',
            id,
            'subject_claim',
          ),
        ]
      : [],
  )

const sharedNames = (members: ReadonlyArray<Member>): ReadonlyArray<BrokenRule<string>> =>
  members.flatMap(([id, entry], index) => {
    const name = textIn(entry, 'name')
    const first = members.slice(0, index).find(([, other]) => name !== undefined && textIn(other, 'name') === name)
    return first === undefined
      ? []
      : [broken(`must be another one than that of ${first[0]}: the end-user could not tell them apart`, id, 'name')]
  })

// RFC 3986 §6.2.3: an empty path is /
const issuerOf = (entry: Entry): string | undefined => {
  const issuer = textIn(entry, 'issuer')
  return issuer === undefined ? undefined : `${originOf(issuer)}${uriParts(issuer).path.replace(/^\/$/, '')}`
}

/** What says whom `sub` of an issuer means. */
const subjectsOf = (entry: Entry): string =>
  JSON.stringify([
    ownMember(entry, 'kind') === 'oauth2',
    textIn(entry, 'user_endpoint') ?? '',
    textIn(entry, 'subject_member') ?? '',
  ])

// Two servers, or two members of the end-user, may give one value to two end-users.
const sharedIssuers = (members: ReadonlyArray<Member>): ReadonlyArray<BrokenRule<string>> =>
  members.flatMap(([id, entry], index) => {
    const issuer = issuerOf(entry)
    const first = members.slice(0, index).find(([, other]) => issuer !== undefined && issuerOf(other) === issuer)
    return first === undefined || subjectsOf(first[1]) === subjectsOf(entry)
      ? []
      : [
          broken(
            `must be another one than that of ${first[0]}, or kind, user_endpoint and subject_member must be the same: sub would be the same for two end-users`,
            id,
            'issuer',
          ),
        ]
  })

const entriesBy = (presets: UpstreamPresets): RuleCodec<Entries, string> => {
  const faultsOf = faultsOfEntry(presets)
  return ruleCodec('upstreams', (value) => {
    if (!isPlainObject(value)) return [broken('must be a JSON object with a member for each provider')]
    const entries = Object.entries(value)
    if (entries.length === 0) return [broken('must have at least one provider')]
    if (entries.length > maxProviders) return [broken(`must have at most ${maxProviders} providers`)]
    const members = membersOf(presets, value)
    return [
      ...entries.flatMap(([id, entry]) => [
        ...(/^[a-z][a-z0-9-]{0,31}$/.test(id) ? [] : [broken(idRule, id)]),
        ...faultsOf(entry).map(nested(id)),
      ]),
      ...sharedClaims(members),
      ...sharedIssuers(members),
      ...sharedNames(members),
    ]
  })
}

const commonOf = (id: string, entry: OpenIdEntry | PlainEntry) => ({
  id,
  name: entry.name,
  issuer: entry.issuer,
  client_id: entry.client_id,
  client_secret_file: entry.client_secret_file,
  client_authentication: entry.client_authentication ?? 'client_secret_basic',
  required: entry.required_claims === undefined ? [] : requirementsOf(entry.required_claims),
})

const openIdProvider = (id: string, entry: OpenIdEntry): UpstreamEntry => ({
  ...commonOf(id, entry),
  scope: spaceDelimitedValues(entry.scope ?? 'openid profile email'),
  subjectClaim: entry.subject_claim,
  claims: entry.claims ?? standardClaims,
  plain: undefined,
})

const plainServer = (id: string, entry: PlainEntry): UpstreamEntry => {
  const { authorization_endpoint, token_endpoint, user_endpoint, emails_endpoint, subject_member } = entry
  const claim_members = entry.claim_members ?? {}
  return {
    ...commonOf(id, entry),
    scope: entry.scope === undefined ? [] : spaceDelimitedValues(entry.scope),
    subjectClaim: undefined,
    claims: [...new Set([...Object.keys(claim_members), 'email', 'email_verified'])],
    plain: { authorization_endpoint, token_endpoint, user_endpoint, emails_endpoint, subject_member, claim_members },
  }
}

const providerOf = (id: string, entry: Entry): ReadonlyArray<UpstreamEntry> => {
  if (plainEntry.is(entry)) return [plainServer(id, entry)]
  return openIdEntry.is(entry) ? [openIdProvider(id, entry)] : []
}

/** A parsed JSON value as providers in their order, or all of its faults. */
export const decodeUpstreams =
  (presets: UpstreamPresets) =>
  (value: unknown): E.Either<ReadonlyArray<PolicyFault>, ReadonlyArray<UpstreamEntry>> =>
    pipe(
      decodeByTexts(entriesBy(presets))(value),
      E.map((entries) => membersOf(presets, entries).flatMap(([id, entry]) => providerOf(id, entry))),
    )
