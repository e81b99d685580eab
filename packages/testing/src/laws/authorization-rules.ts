import type * as O from 'fp-ts/lib/Option.js'
import {
  type Ceilings,
  type InitialAccessToken,
  type ManagementPrivileges,
  type PresentedCredential,
  type Privileges,
  type RegisteredBy,
  type Registrant,
  type RegistrationMode,
  type RegistrationScope,
  type TokenHash,
  addableBy,
  authorizeOperator,
  authorizeRegistrant,
  ceilingOf,
  intersection,
  isNothing,
  missingPrivileges,
  neededScopeValues,
  openPrivileges,
  parseManagementPrivileges,
  parseRegistrationScope,
  permits,
  permitsManagement,
  presentedToken,
  union,
  unionOf,
} from '@clientele/domain/authorization'
import type { ClientMetadata } from '@clientele/domain/client'
import type { EpochSeconds } from '@clientele/domain/kernel'
import {
  type AuthorizedClient,
  type RegisteredClient,
  type RegistrationRequest,
  authorizeConfiguration,
  permitRegistration,
  permitUpdate,
  requestedPrivileges,
} from '@clientele/domain/registration'
import { type Law, type Outcome, lawsAbout } from './law.js'

/**
 * The functions that the laws of authorization are about. Any function of the type can be checked, even if the domain's
 * own has a stricter type. Equal privileges are equal data: sets of values are sorted and without repetition.
 */
export type AuthorizationRules = {
  /** The order: requested ≤ granted. */
  readonly permits: (granted: Privileges) => (requested: Privileges) => boolean
  readonly isNothing: (privileges: Privileges) => boolean
  readonly missingPrivileges: (granted: Privileges) => (requested: Privileges) => Privileges
  readonly union: (one: Privileges, other: Privileges) => Privileges
  readonly unionOf: (all: ReadonlyArray<Privileges>) => Privileges
  readonly intersection: (one: Privileges, other: Privileges) => Privileges
  /** The privileges of the scope of an initial access token. */
  readonly parseRegistrationScope: (scope: unknown) => Outcome<RegistrationScope>
  readonly neededScopeValues: (missing: Privileges) => ReadonlyArray<string>
  /** The registrant and its privileges. */
  readonly openPrivileges: (mode: RegistrationMode) => Privileges
  readonly ceilingOf: (mode: RegistrationMode, ceilings: Ceilings, by: RegisteredBy) => Privileges
  readonly addableBy: (mode: RegistrationMode) => (by: RegisteredBy, recorded: Privileges) => Privileges
  readonly authorizeRegistrant: (
    mode: RegistrationMode,
    ceilings: Ceilings,
  ) => (credential: PresentedCredential, found: O.Option<InitialAccessToken>, now: EpochSeconds) => Outcome<Registrant>
  /** The privileges that a registration or an update may use. */
  readonly requestedPrivileges: (metadata: ClientMetadata) => Privileges
  readonly permitRegistration: (registrant: Registrant) => (request: RegistrationRequest) => Outcome<ClientMetadata>
  readonly permitUpdate: (
    granted: Privileges,
    ceiling: Privileges,
    current: ClientMetadata,
  ) => (next: ClientMetadata) => Outcome<ClientMetadata>
  /** Authorization to read, update and delete a client. */
  readonly authorizeConfiguration: (
    credential: PresentedCredential,
    found: O.Option<RegisteredClient>,
    at: EpochSeconds,
  ) => Outcome<AuthorizedClient>
  /** Authorization of the operator. */
  readonly presentedToken: (...masterTokens: ReadonlyArray<TokenHash>) => (hash: TokenHash) => PresentedCredential
  readonly authorizeOperator: (
    credential: PresentedCredential,
    countsElsewhere: boolean,
    needed: ManagementPrivileges,
  ) => Outcome<unknown>
  /** The privileges of operators; the order: needed ≤ granted. */
  readonly permitsManagement: (granted: ManagementPrivileges) => (needed: ManagementPrivileges) => boolean
  readonly parseManagementPrivileges: (scope: unknown) => O.Option<ManagementPrivileges>
}

/** The domain's own rules. To check a function of your own: `{ ...authorizationRules, permits: mine }`. */
export const authorizationRules: AuthorizationRules = {
  permits,
  isNothing,
  missingPrivileges,
  union,
  unionOf,
  intersection,
  parseRegistrationScope,
  neededScopeValues,
  openPrivileges,
  ceilingOf,
  addableBy,
  authorizeRegistrant,
  requestedPrivileges,
  permitRegistration,
  permitUpdate,
  authorizeConfiguration,
  presentedToken,
  authorizeOperator,
  permitsManagement,
  parseManagementPrivileges,
}

export type AuthorizationLaw = Law<AuthorizationRules>

export const authorizationLaw = lawsAbout(authorizationRules)
