import { ceilingOf } from '../authorization/authorize-registrant.js'
import { requestedPrivileges } from './permit-registration.js'
import { type Privileges, isNothing, missingPrivileges } from '../authorization/privileges.js'
import type { RegisteredBy } from '../authorization/credential.js'
import { storedStatement } from '../client/software-statement.js'
import type { RegisteredClient } from './registered-client.js'
import { validateClientMetadata } from '../client/validate-client-metadata.js'
import type { Fault } from '../codec/fault.js'
import { type JudgingSettings, type RegistrationSettings, ruleBook } from './registration-settings.js'

/**
 * The faults and exceeding privileges of a stored client: an update with the same metadata would be refused for them.
 */
export type ClientJudgement = { readonly faults: ReadonlyArray<Fault>; readonly exceeding: Privileges }

/** The settings that judge metadata, and the registration mode, which limits privileges. */
type JudgingClients = JudgingSettings & Pick<RegistrationSettings, 'mode'>

type StoredMetadata = Readonly<Record<string, unknown>>

/** All faults of stored metadata; a client without a secret has one of length 0. */
export const judgeStoredMetadata = (
  settings: JudgingSettings,
): ((metadata: StoredMetadata, secretLength: number, registeredBy: RegisteredBy) => ReadonlyArray<Fault>) => {
  const book = ruleBook(settings)
  return (metadata, secretLength, registeredBy) => {
    const facts = { secretLength, registeredBy, statementFacts: storedStatement(metadata) }
    return validateClientMetadata(book.rules, { ...book, ...facts })(metadata).faults
  }
}

/** Judges the metadata by the rules, and the privileges by the ceiling; MASTER has no ceiling. */
export const judgeStoredClient = (settings: JudgingClients): ((client: RegisteredClient) => ClientJudgement) => {
  const faultsOf = judgeStoredMetadata(settings)
  return ({ metadata, secret, registered_by }) => ({
    faults: faultsOf({ ...metadata }, secret?.client_secret.length ?? 0, registered_by),
    exceeding: missingPrivileges(ceilingOf(settings.mode, settings.policy.ceilings, registered_by))(
      requestedPrivileges(metadata),
    ),
  })
}

/** The reported result of a judged client. */
export type JudgedClient = ClientJudgement & { readonly client_id: string; readonly client_name?: string | undefined }

export const judgedClient = (settings: JudgingClients): ((client: RegisteredClient) => JudgedClient) => {
  const judge = judgeStoredClient(settings)
  return (client) => ({ client_id: client.client_id, client_name: client.metadata.client_name, ...judge(client) })
}

/** Whether the client violates the policy. */
export const violatesPolicy = ({ faults, exceeding }: ClientJudgement): boolean =>
  faults.length > 0 || !isNothing(exceeding)
