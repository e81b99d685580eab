import * as t from 'io-ts'

/**
 * The authority for a registration: nobody, an initial access token, an operator token, or the master token, with which
 * the operator of the machine counts. In this order each has more than the one before it.
 */
export const RegisteredBy = t.keyof({ nobody: null, token: null, operator_token: null, master: null }, 'RegisteredBy')
export type RegisteredBy = t.TypeOf<typeof RegisteredBy>

/**
 * Whether a setting that names its client_id means the client. Any other registrant who may preset an id could have taken
 * one whose client is not registered yet, or no more.
 */
export const isNamedBySettings = ({ registered_by }: { readonly registered_by: RegisteredBy }): boolean =>
  registered_by === 'master'

/** Whether an operator registered the client, by whichever credential. */
export const isOperatorsClient = ({ registered_by }: { readonly registered_by: RegisteredBy }): boolean =>
  registered_by === 'master' || registered_by === 'operator_token'
