// RFC 7591 §3.2.1: the server may replace requested values. A document requests nothing of one service: it lists what the
// client can use anywhere, so that values beyond its privileges are left out, and not refused as in a registration.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { openPrivileges } from '../authorization/authorize-registrant.js'
import { type Privileges, type ValueSet, intersection } from '../authorization/privileges.js'
import { isRegistrationScopeValue } from '../authorization/registration-scope.js'
import type { ClientMetadata } from '../client/client-metadata.js'
import { storedStatement } from '../client/software-statement.js'
import { validateClientMetadata } from '../client/validate-client-metadata.js'
import { type Fault, fault } from '../codec/fault.js'
import { spaceDelimitedValues } from '../codec/space-delimited.js'
import { documentPolicy } from '../policy/document-policy.js'
import { type PermittedMetadata, judgePermission } from '../registration/permit-registration.js'
import { type RegistrationSettings, ruleBook } from '../registration/registration-settings.js'

/** The settings of registration by which documents are judged. */
export type DocumentSettings = Pick<RegistrationSettings, 'policy' | 'mode' | 'outboundFetches' | 'abilities'>

// No document has a secret, and none is too short: algorithms that need one are reported by a rule of their own.
export const secretLength = Infinity

/** Those of open registration, also where registration is managed: the policy says which documents are accepted. */
export const documentPrivileges = ({ mode, policy }: Pick<RegistrationSettings, 'mode' | 'policy'>): Privileges => {
  const scope = documentPolicy(policy.metadata_documents).scope ?? (mode.kind === 'open' ? mode.scope : [])
  return intersection(policy.ceilings.open, openPrivileges({ kind: 'open', scope }))
}

const isGranted =
  (granted: ValueSet) =>
  (value: string): boolean =>
    granted === 'any' || granted.includes(value)

type Narrowed = {
  readonly metadata: ClientMetadata
  /** The members that lost something. */
  readonly narrowed: ReadonlyArray<string>
}

// Specification §5.1: only an operator registers clients that register others.
const grantedScope = (granted: ValueSet, scope: string | undefined): string | undefined => {
  const values = scope === undefined ? [] : spaceDelimitedValues(scope)
  const permitted = values.filter((value) => isGranted(granted)(value) && !isRegistrationScopeValue(value))
  if (permitted.length === values.length) return scope
  return permitted.length === 0 ? undefined : permitted.join(' ')
}

const narrow = (granted: Privileges, whole: ClientMetadata): Narrowed => {
  const { scope: requestedScope, data: requestedData, ...others } = whole
  const grant_types = whole.grant_types.filter(isGranted(granted.grant_types))
  const scope = grantedScope(granted.scope, requestedScope)
  const data = granted.data ? requestedData : undefined
  const narrowed = [
    ...(grant_types.length === whole.grant_types.length ? [] : ['grant_types']),
    ...(scope === requestedScope ? [] : ['scope']),
    ...(data === requestedData ? [] : ['data']),
  ]
  const rest = { ...(scope === undefined ? {} : { scope }), ...(data === undefined ? {} : { data }) }
  return { metadata: { ...others, ...rest, grant_types }, narrowed }
}

export type PermittedDocument = { readonly metadata: PermittedMetadata; readonly narrowed: ReadonlyArray<string> }

/** The metadata within the privileges, or its faults by the present rules and policy. */
export const permitDocument = (
  settings: DocumentSettings,
): ((metadata: ClientMetadata) => E.Either<ReadonlyNonEmptyArray<Fault>, PermittedDocument>) => {
  const book = ruleBook(settings)
  const granted = documentPrivileges(settings)
  const registrant = { granted, consumedToken: O.none, by: 'nobody' } as const
  return (whole) => {
    const { metadata, narrowed } = narrow(granted, whole)
    const isLeftWithout = metadata.grant_types.length === 0 && narrowed.includes('grant_types')
    if (isLeftWithout) return E.left([fault('document-privilege')('grant_types')])
    const facts = { secretLength, registeredBy: registrant.by, statementFacts: storedStatement(metadata) }
    const { faults } = validateClientMetadata(book.rules, { ...book, ...facts })({ ...metadata })
    if (RA.isNonEmpty(faults)) return E.left(faults)
    const request = { metadata, preferred_client_id: undefined, preferred_client_secret: undefined }
    const { answer } = judgePermission(registrant, request)
    return E.isLeft(answer)
      ? E.left([fault('document-privilege')('scope')])
      : E.right({ metadata: answer.right, narrowed })
  }
}
