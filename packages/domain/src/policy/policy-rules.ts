// The operator's policy as rules across members, beside those of the standards.
import { fault } from '../codec/fault.js'
import { isPlainObject } from '../codec/json-object.js'
import type { RuleId } from '../codec/rule-texts.js'
import { isMemberName, redirectMembers } from '../client/members.js'
import { faultsOfEach } from '../client/rules/redirect-uris.js'
import type { MetadataRule } from '../client/rules/rule.js'
import { isWebScheme, uriParts } from '../client/uri.js'
import type { RegistrationPolicy } from './registration-policy.js'
import { softwareRules } from './software-rules.js'
import { cryptographicMembers } from './supported-algorithms.js'

const allowsHost =
  (allowed: ReadonlyArray<string>) =>
  (uri: string): boolean => {
    const { scheme, host } = uriParts(uri)
    if (!isWebScheme(scheme)) return allowed.includes(`${scheme}:`)
    return allowed.some((each) => (each.startsWith('*.') ? host.endsWith(each.slice(1)) : host === each))
  }

const redirectHosts = (allowed: ReadonlyArray<string>): MetadataRule => {
  const isAllowed = allowsHost(allowed)
  const faultOf = (uri: string): RuleId | undefined => (isAllowed(uri) ? undefined : 'policy-redirect-host')
  return {
    members: [],
    faultsOf: (metadata, { invalid }) =>
      redirectMembers.flatMap((member) => faultsOfEach(metadata, invalid)(member, faultOf)),
  }
}

// An empty list, object or key set counts as absent.
const saysSomething = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0
  if (!isPlainObject(value)) return value !== undefined
  const names = Object.keys(value)
  return names.length > 0 && !(names.length === 1 && Array.isArray(value['keys']) && value['keys'].length === 0)
}

const requiredMembers = (required: ReadonlyArray<string>): ReadonlyArray<MetadataRule> =>
  required.filter(isMemberName).map((member) => ({
    members: [member],
    faultsOf: (metadata) => (saysSomething(metadata[member]) ? [] : [fault('policy-required')(member)]),
  }))

const authMethods = (allowed: ReadonlyArray<string>): MetadataRule => ({
  members: ['token_endpoint_auth_method'],
  faultsOf: ({ token_endpoint_auth_method }) =>
    allowed.includes(token_endpoint_auth_method) ? [] : [fault('policy-auth-method')('token_endpoint_auth_method')],
})

const algorithmRules = (allowed: ReadonlyArray<string>): ReadonlyArray<MetadataRule> =>
  cryptographicMembers.map((member) => ({
    members: [member],
    faultsOf: (metadata) => {
      const algorithm = metadata[member]
      return algorithm === undefined || allowed.includes(algorithm) ? [] : [fault('policy-algorithm')(member)]
    },
  }))

export const policyRules = (policy: RegistrationPolicy): ReadonlyArray<MetadataRule> => [
  ...(policy.allowed_redirect_hosts === undefined ? [] : [redirectHosts(policy.allowed_redirect_hosts)]),
  ...requiredMembers(policy.required_members ?? []),
  ...(policy.allowed_token_endpoint_auth_methods === undefined
    ? []
    : [authMethods(policy.allowed_token_endpoint_auth_methods)]),
  ...(policy.allowed_algorithms === undefined ? [] : algorithmRules(policy.allowed_algorithms)),
  ...softwareRules(policy.software_statements),
]
