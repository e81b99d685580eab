import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Privileges, type ValueSet, onlyValues } from '../authorization/privileges.js'
import {
  asymmetricAlgorithm,
  contentEncryption,
  encryptionAlgorithm,
  signingAlgorithmOrNone,
} from '../client/algorithms.js'
import { isMemberName } from '../client/members.js'
import { isPrivateUseName } from '../client/private-use-scheme.js'
import { authMethod } from '../client/value-types.js'
import { pointerOf } from '../codec/fault.js'
import { decode, none, optional, ruleCodec } from '../codec/rule-codec.js'
import { documentPart } from './decode-document-policy.js'
import { signedBodiesPart } from './decode-signed-bodies-policy.js'
import { softwarePart } from './decode-software-policy.js'
import { count, flag, hostName, listOf, object, visibleTexts } from './policy-codecs.js'
import type { RegistrationPolicy } from './registration-policy.js'

/** A fault of a policy and its place: RFC 6901. */
export type PolicyFault = { readonly pointer: string; readonly description: string }

const address = /^(?:\[::1\]|\d{1,3}(?:\.\d{1,3}){3})$/
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

const policyFile = object({
  allowed_redirect_hosts: optional(
    listOf(
      'must be a host in lower case such as rp.example, *.rp.example for all below it, or a private-use scheme such as com.example.app: (docs/client-metadata.md lists those that are never taken)',
      (entry) => hostName.test(entry) || address.test(entry) || isScheme(entry),
    ),
  ),
  allowed_private_use_schemes: optional(
    listOf(
      'must be a private-use scheme in lower case, without colon and period, such as cursor (docs/client-metadata.md lists those that are never taken); schemes with a period are always taken: bound them by allowed_redirect_hosts',
      (entry) => isPrivateUseName(entry) && !entry.includes('.'),
    ),
  ),
  replace_contradicted_application_type: flag,
  required_members: optional(listOf('must be the name of a member of client metadata', isMemberName)),
  allowed_token_endpoint_auth_methods: optional(
    listOf(`must be one of ${authMethod.values.join(', ')}`, authMethod.codec.is),
  ),
  allowed_algorithms: optional(
    listOf('must be an algorithm that client metadata may name', (entry) => allAlgorithms.includes(entry)),
  ),
  maximum_clients: count,
  maximum_unused_open_clients: count,
  reuse_unused_registrations: flag,
  metadata_documents: optional(documentPart),
  software_statements: optional(softwarePart),
  signed_bodies: optional(signedBodiesPart),
  ceilings: optional(object({ open: optional(ceiling), managed: optional(ceiling) })),
})

type PolicyFile = typeof policyFile._A

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
  pipe(
    decode(policyFile)(value),
    E.map(policyOf),
    E.mapLeft((rules) => rules.map(({ rule, path }) => ({ pointer: pointerOf(path), description: rule }))),
  )
