// The rules of the operator's policy for client metadata and software statements.
import { isMemberName, members, redirectMembers } from '../client/members.js'
import { type MetadataRule, type RuleContext, faultsOfEach, metadataRule } from '../client/rules.js'
import { isWebScheme, uriParts } from '../client/uris.js'
import { type Fault, fault } from '../kernel/faults.js'
import { isPlainObject } from '../kernel/json-object.js'
import type { MetadataRuleId } from '../kernel/rule-texts.js'
import { cryptographicMembers } from './algorithms.js'
import {
  type GivenSoftwarePolicy,
  type RegistrationPolicy,
  type Software,
  allowsResponseType,
  isHost,
  requiresStatement,
  softwarePolicy,
} from './policy.js'

// The part software_statements of the operator's policy as rules across members; docs/decisions/software-statements.md.

type SoftwareMember = 'software_id' | 'software_version'

// RFC 7591 §2.3: a claim of a statement is what its issuer vouches for, and a member of the body what the client claims
const isAsserted = ({ statementFacts }: RuleContext, { issuers }: Software, member: SoftwareMember): boolean => {
  if (statementFacts === undefined) return false
  if (statementFacts.kind === 'stored') return true
  const isByThem =
    issuers === undefined || (statementFacts.issuer !== undefined && issuers.includes(statementFacts.issuer))
  return isByThem && statementFacts.members.includes(member)
}

const isAdmittedVersion = ({ allowed_versions, denied_versions }: Software, version: string | undefined): boolean =>
  version === undefined
    ? allowed_versions === undefined
    : (allowed_versions?.includes(version) ?? true) && !(denied_versions?.includes(version) ?? false)

const hasVersions = ({ allowed_versions, denied_versions }: Software): boolean =>
  allowed_versions !== undefined || denied_versions !== undefined

/** No rules without the part. */
export const softwareRules = (part: GivenSoftwarePolicy | undefined): ReadonlyArray<MetadataRule> => {
  if (part === undefined) return []
  const policy = softwarePolicy(part)
  const listed = new Map(policy.software.map((each) => [each.software_id, each]))
  const listedAs = (software_id: string | undefined) =>
    software_id === undefined ? undefined : listed.get(software_id)
  const isMissing = ({ registeredBy, statementFacts }: RuleContext): boolean =>
    statementFacts === undefined && requiresStatement(policy, registeredBy)
  // A missing statement is reported as such, and not again for each member that it would state.
  const mustBeAsserted = (software: Software, context: RuleContext, member: SoftwareMember): boolean =>
    !isMissing(context) &&
    (software.issuers !== undefined || requiresStatement(policy, context.registeredBy)) &&
    !isAsserted(context, software, member)
  return [
    metadataRule(['software_statement'], (_, context) =>
      isMissing(context) ? [fault('policy-statement')('software_statement')] : [],
    ),
    metadataRule(['software_id'], ({ software_id }, context) => {
      const software = listedAs(software_id)
      if (software === undefined) return policy.accept === 'any' ? [] : [fault('policy-software')('software_id')]
      return mustBeAsserted(software, context, 'software_id') ? [fault('policy-software-asserted')('software_id')] : []
    }),
    metadataRule(['software_id', 'software_version'], ({ software_id, software_version }, context) => {
      const software = listedAs(software_id)
      if (software === undefined || !hasVersions(software)) return []
      if (!isAdmittedVersion(software, software_version)) return [fault('policy-software-version')('software_version')]
      return mustBeAsserted(software, context, 'software_version')
        ? [fault('policy-software-asserted')('software_version')]
        : []
    }),
  ]
}

// The operator's policy as rules across members, beside those of the standards.

const allowsHost =
  (allowed: ReadonlyArray<string>) =>
  (uri: string): boolean => {
    const { scheme, host } = uriParts(uri)
    if (!isWebScheme(scheme)) return allowed.includes(`${scheme}:`)
    return allowed.some((each) => isHost(host, each))
  }

const redirectHosts = (allowed: ReadonlyArray<string>): MetadataRule => {
  const isAllowed = allowsHost(allowed)
  const faultOf = (uri: string): MetadataRuleId | undefined => (isAllowed(uri) ? undefined : 'policy-redirect-host')
  return metadataRule([], (metadata, { invalid }) =>
    redirectMembers.flatMap((member) => faultsOfEach(metadata, invalid)(member, faultOf)),
  )
}

// An empty list, object or key set counts as absent.
const saysSomething = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0
  if (!isPlainObject(value)) return value !== undefined
  const names = Object.keys(value)
  return names.length > 0 && !(names.length === 1 && Array.isArray(value['keys']) && value['keys'].length === 0)
}

const requiredMembers = (required: ReadonlyArray<string>): ReadonlyArray<MetadataRule> =>
  required
    .filter(isMemberName)
    .map((member) =>
      metadataRule([member], (metadata) => (saysSomething(metadata[member]) ? [] : [fault('policy-required')(member)])),
    )

/** The fault, with the values that the policy leaves: they are public, in the metadata of the service. */
const choosing = (found: Fault, allowed: ReadonlyArray<string>): Fault =>
  allowed.length === 0 ? found : { ...found, description: `${found.description} (${allowed.join(', ')})` }

const authMethods = (allowed: ReadonlyArray<string>): MetadataRule => {
  const faults = [choosing(fault('policy-auth-method')('token_endpoint_auth_method'), allowed)]
  return metadataRule(['token_endpoint_auth_method'], ({ token_endpoint_auth_method }) =>
    allowed.includes(token_endpoint_auth_method) ? [] : faults,
  )
}

// What remains beside these was narrowed before.
const responseTypeRule = (policy: RegistrationPolicy, allowed: ReadonlyArray<string>): MetadataRule =>
  metadataRule(['response_types'], ({ response_types }) =>
    response_types.flatMap((each, index) =>
      allowsResponseType(policy, each)
        ? []
        : [choosing(fault('policy-response-type')('response_types', index), allowed)],
    ),
  )

const algorithmRules = (allowed: ReadonlyArray<string>): ReadonlyArray<MetadataRule> =>
  cryptographicMembers.map((member) => {
    const known: ReadonlyArray<string> = members[member].type.values
    const faults = [
      choosing(
        fault('policy-algorithm')(member),
        allowed.filter((each) => known.includes(each)),
      ),
    ]
    return metadataRule([member], (metadata) => {
      const algorithm = metadata[member]
      return algorithm === undefined || allowed.includes(algorithm) ? [] : faults
    })
  })

export const policyRules = (policy: RegistrationPolicy): ReadonlyArray<MetadataRule> => [
  ...(policy.allowed_redirect_hosts === undefined ? [] : [redirectHosts(policy.allowed_redirect_hosts)]),
  ...requiredMembers(policy.required_members ?? []),
  ...(policy.allowed_token_endpoint_auth_methods === undefined
    ? []
    : [authMethods(policy.allowed_token_endpoint_auth_methods)]),
  ...(policy.allowed_response_types === undefined ? [] : [responseTypeRule(policy, policy.allowed_response_types)]),
  ...(policy.allowed_algorithms === undefined ? [] : algorithmRules(policy.allowed_algorithms)),
  ...softwareRules(policy.software_statements),
]
