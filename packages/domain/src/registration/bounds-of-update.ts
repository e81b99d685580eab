// What an update of a client may add: RFC 7592 §2.2.
import { addableBy, ceilingOf } from '../authorization/authorize-registrant.js'
import { type PresentedCredential, isOperators } from '../authorization/credential.js'
import { type Privileges, allPrivileges } from '../authorization/privileges.js'
import type { AuthorizedClient } from './authorize-configuration.js'
import type { RegistrationSettings } from './registration-settings.js'

type Bounds = { readonly addable: Privileges; readonly ceiling: Privileges }

// The privileges that the update may add by its credential, and the ceiling of the client; an operator has no ceiling.
export const boundsOfUpdate = ({
  mode,
  policy,
}: RegistrationSettings): ((credential: PresentedCredential, authorized: AuthorizedClient) => Bounds) => {
  const addable = addableBy(mode)
  return (credential, { client: { registered_by: by }, granted }) =>
    isOperators(credential)
      ? { addable: granted, ceiling: allPrivileges }
      : { addable: addable(by, granted), ceiling: ceilingOf(mode, policy.ceilings, by) }
}
