import { ceilingOf } from '../authorization/authorize-registrant.js'
import { askedPrivileges } from './permit-registration.js'
import { type Privileges, isNothing, missingPrivileges } from '../authorization/privileges.js'
import type { RegisteredClient } from './registered-client.js'
import { validateClientMetadata } from '../client/validate-client-metadata.js'
import type { Fault } from '../codec/fault.js'
import { type JudgingSettings, type RegistrationSettings, ruleBook } from './registration-settings.js'

/** What a stored client has that the settings do not allow: an update with the same metadata would be refused for it. */
export type ClientJudgement = { readonly faults: ReadonlyArray<Fault>; readonly beyond: Privileges }

/** The settings that judge metadata, and with the mode of registration what a client has. */
type JudgingClients = JudgingSettings & Pick<RegistrationSettings, 'mode'>

/** All that is wrong with metadata as it is stored; a client without a secret has one of length 0. */
export const judgeStoredMetadata = (
  settings: JudgingSettings,
): ((metadata: Readonly<Record<string, unknown>>, secretLength: number) => ReadonlyArray<Fault>) => {
  const book = ruleBook(settings)
  return (metadata, secretLength) => validateClientMetadata(book.rules, { ...book, secretLength })(metadata).faults
}

/** The rules of the settings on the metadata, and the ceiling on what the client has; MASTER has no ceiling. */
export const judgeStoredClient = (settings: JudgingClients): ((client: RegisteredClient) => ClientJudgement) => {
  const faultsOf = judgeStoredMetadata(settings)
  return ({ metadata, secret, registered_by }) => ({
    faults: faultsOf({ ...metadata }, secret?.client_secret.length ?? 0),
    beyond: missingPrivileges(ceilingOf(settings.mode, settings.policy.ceilings, registered_by))(
      askedPrivileges(metadata),
    ),
  })
}

/** What is told of a client that is judged. */
export type JudgedClient = ClientJudgement & { readonly client_id: string; readonly client_name?: string | undefined }

export const judgedClient = (settings: JudgingClients): ((client: RegisteredClient) => JudgedClient) => {
  const judge = judgeStoredClient(settings)
  return (client) => ({ client_id: client.client_id, client_name: client.metadata.client_name, ...judge(client) })
}

/** Whether the client would fall. */
export const falls = ({ faults, beyond }: ClientJudgement): boolean => faults.length > 0 || !isNothing(beyond)
