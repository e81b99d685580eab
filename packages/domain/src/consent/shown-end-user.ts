import { type JsonObject, ownMember } from '../codec/json-object.js'
import type { Subject } from '../sessions/end-user-session.js'

/** An end-user as pages name them: the name, if there is one, always with what tells two accounts apart. */
export type ShownEndUser = { readonly name: string | undefined; readonly account: string }

const maxCharacters = 120

const textOf = (claims: JsonObject, name: string): string | undefined => {
  const value = ownMember(claims, name)
  return typeof value === 'string' && value.trim() !== '' && value.length <= maxCharacters ? value : undefined
}

/** OpenID Core §5.1: by the claims, else by sub. */
export const shownEndUser = (sub: Subject, claims: JsonObject = {}): ShownEndUser => ({
  name: textOf(claims, 'name'),
  account: textOf(claims, 'email') ?? textOf(claims, 'preferred_username') ?? sub,
})
