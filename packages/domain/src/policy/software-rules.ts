// The part software_statements of the operator's policy as rules across members; decision 0142.
import type { MemberName } from '../client/members.js'
import type { FaultsOf, MetadataRule, RuleContext } from '../client/rules/rule.js'
import { fault } from '../codec/fault.js'
import { type GivenSoftwarePolicy, type Software, requiresStatement, softwarePolicy } from './software-policy.js'

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

const rule = (members: ReadonlyArray<MemberName>, faultsOf: FaultsOf): MetadataRule => ({ members, faultsOf })

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
    rule(['software_statement'], (_, context) =>
      isMissing(context) ? [fault('policy-statement')('software_statement')] : [],
    ),
    rule(['software_id'], ({ software_id }, context) => {
      const software = listedAs(software_id)
      if (software === undefined) return policy.accept === 'any' ? [] : [fault('policy-software')('software_id')]
      return mustBeAsserted(software, context, 'software_id') ? [fault('policy-software-asserted')('software_id')] : []
    }),
    rule(['software_id', 'software_version'], ({ software_id, software_version }, context) => {
      const software = listedAs(software_id)
      if (software === undefined || !hasVersions(software)) return []
      if (!isAdmittedVersion(software, software_version)) return [fault('policy-software-version')('software_version')]
      return mustBeAsserted(software, context, 'software_version')
        ? [fault('policy-software-asserted')('software_version')]
        : []
    }),
  ]
}
