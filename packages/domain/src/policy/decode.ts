// The policy as the operator writes it, read as data.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Privileges, type ValueSet, onlyValues } from '../authorization/registrant.js'
import { ClientId, ClientIdUrl, isDocumented } from '../client/ids.js'
import { asymmetricAlgorithm, contentEncryption, encryptionAlgorithm, signingAlgorithmOrNone } from '../client/keys.js'
import { isMemberName } from '../client/members.js'
import { isPrivateUseName, isResourceIdentifier, isUniqueLocal, uriParts } from '../client/uris.js'
import { authMethod, responseTypes, text, visible } from '../client/values.js'
import {
  type Judging,
  type RuleCodec,
  broken,
  decode,
  listThat,
  none,
  optional,
  pointerOf,
  ruleCodec,
  valueThat,
} from '../kernel/faults.js'
import { isPlainObject, ownMember } from '../kernel/json-object.js'
import { isLifetimeUpTo } from '../kernel/time.js'
import { isCount, isIpAddress, objectOf } from '../kernel/values.js'
import {
  type DocumentPolicy,
  type RegistrationPolicy,
  admissions,
  approvable,
  documentPolicy,
  driftActions,
  isHost,
  requirements,
  signedFormats,
} from './policy.js'

// The rules of a policy are texts for the operator.
const listOf = (rule: string, holds: (entry: string) => boolean): RuleCodec<ReadonlyArray<string>, string> =>
  listThat<string, string>(
    'must be a JSON array',
    valueThat(rule, (entry): entry is string => typeof entry === 'string' && holds(entry)),
  )

const object = <Fields extends Readonly<Record<string, Judging<string>>>>(
  fields: Fields,
): RuleCodec<{ readonly [Name in keyof Fields]: Fields[Name]['_A'] }, string> =>
  objectOf<string>({
    object: 'must be a JSON object',
    unknown: `is unknown: leave it out, or write one of ${Object.keys(fields).join(', ')}`,
  })(fields)

const oneOf = <Value extends string>(values: ReadonlyArray<Value>): RuleCodec<Value, string> =>
  valueThat(`must be one of ${values.join(', ')}`, (value): value is Value => values.some((each) => each === value))

const count = optional(valueThat('must be a whole number, 0 or more', isCount))

const flag = optional(valueThat('must be true or false', (value): value is boolean => typeof value === 'boolean'))

// The last label of a name is not a number, so that *.0.0.1 does not match addresses
/** A host, or all names below it. */
const hostName = /^(?:\*\.)?(?!.*(?:^|\.)\d+$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/

const visibleTexts = listOf('must be visible ASCII text without quotation mark or backslash', (entry) =>
  visible.test(entry),
)

// RFC 7591 §2: what a client may send as software_id or software_version
const isText = (value: unknown): value is string => text.codec.is(value)
const versions = optional(listOf('must be a text that software_version may be', isText))

const software = object({
  software_id: valueThat('must be a text that software_id may be', isText),
  // RFC 7519 §4.1.1
  issuers: optional(
    listOf('must be the iss of software statements, in visible ASCII', (entry) => /^[\x21-\x7E]{1,2048}$/.test(entry)),
  ),
  allowed_versions: versions,
  denied_versions: versions,
})

// Of two entries for one software or client, the reader would not know which one counts.
const listedOnce = <Name extends string, Entry extends Readonly<Record<Name, string>>>(
  name: Name,
  entry: RuleCodec<Entry, string>,
): RuleCodec<ReadonlyArray<Entry>, string> => {
  const entries = listThat('must be a JSON array', entry)
  return ruleCodec(name, (value) => {
    const names = Array.isArray(value)
      ? value.map((each) => (isPlainObject(each) ? ownMember(each, name) : undefined))
      : []
    const first = new Map(names.map((each, index) => [each, index] as const).reverse())
    const repeated = names.flatMap((each, index) =>
      typeof each !== 'string' || first.get(each) === index
        ? []
        : [broken('must be listed once: write one entry for it', index, name)],
    )
    return [...entries.brokenRules(value), ...repeated]
  })
}

/** The part software_statements of a policy file. */
const softwarePart = object({
  required: optional(oneOf(requirements)),
  accept: optional(oneOf(admissions)),
  software: optional(listedOnce('software_id', software)),
})

// The directory gives each service its identifier, so that there is no default.
const audience: RuleCodec<ReadonlyArray<string>, string> = ruleCodec('audience', (value) =>
  Array.isArray(value) && value.length === 0
    ? [broken('must have an entry: write the identifier that the directory gave to this service')]
    : visibleTexts.brokenRules(value),
)

/** The part signed_bodies of a policy file. */
const signedBodiesPart = object({
  format: oneOf(signedFormats),
  audience,
  required: flag,
})

const year = 31_536_000
const seconds = optional(
  valueThat(`must be a whole number of seconds from 1 to ${year} (a year)`, isLifetimeUpTo(year)),
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
    ClientIdUrl.is,
  ),
)

const action = optional(oneOf(driftActions))

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
  accept: optional(oneOf<DocumentPolicy['accept']>(['none', 'listed', 'any'])),
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
const documentPart: RuleCodec<DocumentFile, string> = ruleCodec('metadata_documents', (value) => {
  const rules = file.brokenRules(value)
  if (rules.length > 0 || !file.is(value) || !isCrossed(value)) return rules
  return [broken('must be at least least_freshness', 'greatest_freshness')]
})

const resources = listOf(
  'must be the URI of a resource: absolute, of scheme https (or http on loopback), without a fragment',
  isResourceIdentifier,
)

const client = object({
  client_id: valueThat(
    'must be a client_id: that of a registered client, or the complete URL of a metadata document, such as https://app.example/client.json, as it is requested; metadata_documents has lists for hosts and for beginnings of URLs',
    ClientId.is,
  ),
  scope: optional(visibleTexts),
  resources: optional(resources),
  access_token_lifetime: seconds,
  refresh_token_lifetime: seconds,
  skip_consent: flag,
})

const hostsOf = ({
  allowed_hosts = [],
  denied_hosts = [],
  allowed_url_prefixes = [],
  denied_url_prefixes = [],
}: DocumentFile): ReadonlyArray<string> => [
  ...allowed_hosts,
  ...denied_hosts,
  ...[...allowed_url_prefixes, ...denied_url_prefixes].map((each) => uriParts(each).host),
]

/** A fault of a policy and its place: RFC 6901. */
export type PolicyFault = { readonly pointer: string; readonly description: string }

/** A parsed JSON value by a codec whose rules are texts for the operator, or all of its faults. */
export const decodeByTexts =
  <A>(codec: RuleCodec<A, string>) =>
  (value: unknown): E.Either<ReadonlyArray<PolicyFault>, A> =>
    pipe(
      decode(codec)(value),
      E.mapLeft((faults) => faults.map(({ rule, path }) => ({ pointer: pointerOf(path), description: rule }))),
    )

const isAddress = (entry: string): boolean =>
  entry === '[::1]' || isUniqueLocal(entry) || (isIpAddress(entry) && !entry.includes(':'))
const isScheme = (entry: string): boolean => entry.endsWith(':') && isPrivateUseName(entry.slice(0, -1))
const allAlgorithms = [
  asymmetricAlgorithm,
  signingAlgorithmOrNone,
  encryptionAlgorithm,
  contentEncryption,
].flatMap<string>(({ values }) => values)
const values = optional(
  ruleCodec<ValueSet, string>('values', (value) => (value === 'any' ? none : visibleTexts.brokenRules(value))),
)

const ceiling = object({
  grant_types: values,
  scope: values,
  data: flag,
  preferred_client_id: flag,
  preferred_client_secret: flag,
})

const parts = object({
  allowed_redirect_hosts: optional(
    listOf(
      'must be a host in lower case such as rp.example, *.rp.example for all below it, or a private-use scheme such as com.example.app: (docs/use/client-metadata.md lists those that are never taken)',
      (entry) => hostName.test(entry) || isAddress(entry) || isScheme(entry),
    ),
  ),
  allowed_private_use_schemes: optional(
    listOf(
      'must be a private-use scheme in lower case, without colon and period, such as cursor (docs/use/client-metadata.md lists those that are never taken); schemes with a period are always taken: bound them by allowed_redirect_hosts',
      (entry) => isPrivateUseName(entry) && !entry.includes('.'),
    ),
  ),
  replace_contradicted_application_type: flag,
  allow_http_on_private_networks: flag,
  required_members: optional(listOf('must be the name of a member of client metadata', isMemberName)),
  allowed_token_endpoint_auth_methods: optional(
    listOf(`must be one of ${authMethod.values.join(', ')}`, authMethod.codec.is),
  ),
  allowed_algorithms: optional(
    listOf('must be an algorithm that client metadata may name', (entry) => allAlgorithms.includes(entry)),
  ),
  allowed_response_types: optional(
    listOf(`must be one of ${responseTypes.values.join(', ')}`, (entry) => responseTypes.values.includes(entry)),
  ),
  maximum_clients: count,
  maximum_unused_open_clients: count,
  reuse_unused_registrations: flag,
  approve: optional(
    listThat(
      'must be a JSON array: leave it out, or write [], so that nothing waits for an approval',
      oneOf(approvable),
    ),
  ),
  metadata_documents: optional(documentPart),
  software_statements: optional(softwarePart),
  signed_bodies: optional(signedBodiesPart),
  clients: optional(listedOnce('client_id', client)),
  ceilings: optional(object({ open: optional(ceiling), managed: optional(ceiling) })),
})

type PolicyFile = typeof parts._A

// A client_id of a registration may look like a host: one of metadata_documents is meant as that, and would bound no document.
const policyFile: RuleCodec<PolicyFile, string> = ruleCodec('policy', (value) => {
  const rules = parts.brokenRules(value)
  if (rules.length > 0 || !parts.is(value)) return rules
  const { clients = [], metadata_documents } = value
  const known = metadata_documents === undefined ? [] : hostsOf(metadata_documents)
  return clients.flatMap(({ client_id }, index) =>
    !isDocumented({ client_id }) && known.some((host) => isHost(client_id.toLowerCase(), host))
      ? [
          broken(
            'is a host of metadata_documents, and an entry is about one client: write the complete URL of its document, such as https://app.example/client.json',
            'clients',
            index,
            'client_id',
          ),
        ]
      : [],
  )
})

const setOf = (set: ValueSet = 'any'): ValueSet => (set === 'any' ? set : onlyValues(set))

// A ceiling does not limit the parts that it leaves out.
const ceilingOf = ({
  grant_types,
  scope,
  data = true,
  preferred_client_id = true,
  preferred_client_secret = true,
}: Partial<typeof ceiling._A> = {}): Privileges => ({
  grant_types: setOf(grant_types),
  scope: setOf(scope),
  data,
  preferred_client_id,
  preferred_client_secret,
})

const policyOf = ({ ceilings, ...parts }: PolicyFile): RegistrationPolicy => {
  const given: Omit<RegistrationPolicy, 'ceilings'> = Object.fromEntries(
    Object.entries(parts)
      .filter(([, part]) => part !== undefined)
      .map(([name, part]) => [name, Array.isArray(part) ? [...new Set(part)] : part]),
  )
  return { ...given, ceilings: { open: ceilingOf(ceilings?.open), managed: ceilingOf(ceilings?.managed) } }
}

/** A parsed JSON value as a policy, or all of its faults. */
export const decodeRegistrationPolicy = (value: unknown): E.Either<ReadonlyArray<PolicyFault>, RegistrationPolicy> =>
  pipe(decodeByTexts(policyFile)(value), E.map(policyOf))
