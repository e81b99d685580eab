// Why clients are refused: what would become of metadata, and of the stored clients; and what was refused lately.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ForOperator, Operator, RegisteredBy } from '../authorization/credential.js'
import {
  type Privileges,
  ceilingOf,
  missingPrivileges,
  neededScopeValues,
  noPrivileges,
  union,
  valuesOfRegistration,
} from '../authorization/registrant.js'
import { readMembers } from '../client/metadata.js'
import { addedMembers, droppedMembers, presetMembers } from '../client/schema.js'
import type { Fault } from '../kernel/faults.js'
import { type InvalidRequest, invalidRequest } from '../kernel/refusals.js'
import { type Parameters, decodeShortList } from '../managing/query.js'
import { type ObservedRefusals, refusalParameters, selectRefusals } from '../managing/refused.js'
import { decodeRegistrationPolicy } from '../policy/decode.js'
import { type ExplainedEntry, type RegistrationPolicy, explainEntry } from '../policy/policy.js'
import type { Answer } from '../ports/outside.js'
import type { ClientRegistry, Refusals } from '../ports/store.js'
import { type Adjustment, adjustmentsOf } from '../registration/adjustments.js'
import {
  type JudgedClient,
  type RegistrationFacts,
  type RegistrationRefusal,
  type RegistrationSettings,
  type RegistrationTrace,
  judgedClient,
  traceRegistration,
  type ReadRegistration,
} from '../registration/decide.js'
import { type ApprovalNotice, type MetadataWarning, approvalNotice, warningsOf } from '../registration/information.js'
import type { WithBody } from './audit.js'
import type { ClientList } from './search.js'

/** Checks that need the store or outbound requests, so that an explanation leaves them out. */
export type Unchecked =
  'sector_identifier_uri' | 'preferred_client_id' | 'maximum_clients' | 'maximum_unused_open_clients'

/**
 * A decision with its reasons, as plain JSON. For an invalid body, the reasons cover its valid part. A client that would be
 * registered may wait for an approval.
 */
export type Explanation = ApprovalNotice & {
  /** Left out if the client would be registered. */
  readonly refusal?: Pick<RegistrationRefusal, 'error' | 'error_description'>
  /** The authority for the registration; left out when the credential is invalid (401). */
  readonly by?: RegisteredBy
  readonly requested: Privileges
  readonly granted: Privileges
  readonly missing: Privileges
  /** The missing privileges that no initial access token grants: beyond the ceilings of the policy, or for the operator alone. */
  readonly unobtainable: Privileges
  /** The scope values of an initial access token that would grant the other missing privileges. */
  readonly needed: ReadonlyArray<string>
  readonly faults: ReadonlyArray<Fault>
  /** RFC 7591 §2: members that registration added or replaced: defaults and claims of the software statement. */
  readonly added: Readonly<Record<string, unknown>>
  /** The reasons for members that were set or left out otherwise. */
  readonly adjustments: ReadonlyArray<Adjustment>
  /** RFC 7591 §2: unknown members that were sent. */
  readonly dropped: ReadonlyArray<string>
  readonly unchecked: ReadonlyArray<Unchecked>
  /** Warnings for the operator about metadata that is registered. */
  readonly warnings: ReadonlyArray<MetadataWarning>
  /** What the policy says of the preferred client_id alone; left out where it says nothing. */
  readonly policy_entry?: ExplainedEntry
}

// An invalid member is reported as a fault, and its default is not registered.
const addedBy = ({ body, invalid, request }: ReadRegistration): Explanation['added'] => {
  const added = Object.entries(addedMembers(readMembers(body).metadata, request.metadata))
  return Object.fromEntries(added.filter(([name]) => !Object.hasOwn(invalid, name)))
}

const uncheckedOf = (
  { policy }: RegistrationSettings,
  { read, registrant, requested }: RegistrationTrace,
): ReadonlyArray<Unchecked> => {
  const isOpen = E.isRight(registrant) && registrant.right.by === 'nobody'
  const hasSector = E.isRight(read) && read.right.request.metadata.sector_identifier_uri !== undefined
  return [
    ...(hasSector ? ['sector_identifier_uri' as const] : []),
    ...(requested.preferred_client_id ? ['preferred_client_id' as const] : []),
    ...(policy.maximum_clients === undefined ? [] : ['maximum_clients' as const]),
    ...(policy.maximum_unused_open_clients === undefined || !isOpen ? [] : ['maximum_unused_open_clients' as const]),
  ]
}

const explainBody = (
  settings: RegistrationSettings,
  { read, tidied }: RegistrationTrace,
): Pick<Explanation, 'faults' | 'added' | 'adjustments' | 'dropped' | 'warnings'> =>
  E.isLeft(read)
    ? { faults: read.left.errors ?? [], added: {}, adjustments: [], dropped: [], warnings: [] }
    : {
        faults: read.right.refusal?.errors ?? [],
        added: addedBy(read.right),
        adjustments: [...tidied, ...adjustmentsOf(read.right.body, read.right.request.metadata)],
        dropped: droppedMembers(read.right.body, presetMembers),
        warnings: warningsOf(settings)(read.right.request.metadata),
      }

const entryOf = ({ policy }: RegistrationSettings, { read }: RegistrationTrace): ExplainedEntry | undefined =>
  E.isLeft(read) ? undefined : explainEntry(policy, { client_id: read.right.request.preferred_client_id ?? '' })

/** The explanation of a decision, from its trace. Total for any facts. */
export const explainRegistration = (settings: RegistrationSettings): ((facts: RegistrationFacts) => Explanation) => {
  const traceOf = traceRegistration(settings)
  const exceedingTokens = missingPrivileges(ceilingOf(settings.mode, settings.policy.ceilings, 'token'))
  return (facts) => {
    const trace = traceOf(facts)
    const { registrant, requested, missing, answer } = trace
    const forOperators = { ...noPrivileges, scope: valuesOfRegistration(missing.scope) }
    const unobtainable = union(exceedingTokens(missing), forOperators)
    const { warnings, ...sent } = explainBody(settings, trace)
    const policy_entry = entryOf(settings, trace)
    return {
      ...(E.isLeft(answer)
        ? { refusal: { error: answer.left.error, error_description: answer.left.error_description } }
        : approvalNotice(answer.right.client)),
      ...(E.isLeft(registrant) ? {} : { by: registrant.right.by }),
      requested,
      granted: E.isLeft(registrant) ? noPrivileges : registrant.right.granted,
      missing,
      unobtainable,
      needed: neededScopeValues(missingPrivileges(unobtainable)(missing)),
      ...sent,
      unchecked: uncheckedOf(settings, trace),
      warnings,
      ...(policy_entry === undefined ? {} : { policy_entry }),
    }
  }
}

const policyOf = (body: unknown): E.Either<InvalidRequest, RegistrationPolicy> =>
  pipe(
    decodeRegistrationPolicy(body),
    E.mapLeft(() => invalidRequest('The body must be a registration policy')),
  )

/** Judges all clients by a proposed policy, which is the body, and changes nothing. */
export const judgeClients =
  (settings: RegistrationSettings, ports: ClientRegistry) =>
  (
    request: WithBody & { readonly operator: Operator<'clients:read'> },
  ): E.Either<InvalidRequest, ClientList<JudgedClient>> =>
    pipe(
      request.body,
      E.flatMap(policyOf),
      E.map((policy) => ({ clients: ports.streamClients(), informationOf: judgedClient({ ...settings, policy }) })),
    )

// What was refused lately, for an operator who looks for what keeps real clients out: docs/operate/observe.md.

/** How often each rule refused which software, the most often first; and the last refusals, the latest first. */
export const listRefusals =
  (ports: Refusals): ForOperator<'clients:read', (query: Parameters) => Answer<ObservedRefusals, InvalidRequest>> =>
  () =>
  (query) =>
    pipe(
      TE.fromEither(decodeShortList(refusalParameters, query)),
      TE.flatMap(({ filter, limit }) =>
        pipe(
          ports.listRefusals,
          TE.map((kept) => selectRefusals(kept, filter, limit)),
        ),
      ),
    )
