import * as t from 'io-ts'

/** The authority for a registration: none, an initial access token, or (`master`) an operator. */
export const RegisteredBy = t.union([t.literal('nobody'), t.literal('token'), t.literal('master')], 'RegisteredBy')
export type RegisteredBy = t.TypeOf<typeof RegisteredBy>
