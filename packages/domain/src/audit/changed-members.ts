import type { RegisteredClient } from '../registration/registered-client.js'

type Entry = readonly [name: string, value: unknown]

const entriesOf = (client: RegisteredClient): ReadonlyArray<Entry> => [
  ...Object.entries(client.metadata),
  ['client_secret', client.secret?.client_secret],
  ['client_secret_expires_at', client.secret?.client_secret_expires_at],
  ['registration_access_token', client.registration_access_token.hash],
  ['registered_by', client.registered_by],
  ['privileges', client.privileges],
  ['suspended_at', client.suspended_at],
]

const namesOf = (client: RegisteredClient): ReadonlyArray<string> =>
  entriesOf(client)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)

// RFC 8259 §4: members of an object in another order are the same value, and yet another text: that counts as a change.
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const differing = (before: RegisteredClient, after: RegisteredClient): ReadonlyArray<string> => {
  const one = new Map(entriesOf(before))
  const other = new Map(entriesOf(after))
  return [...one.keys(), ...other.keys()].filter((name) => !isSame(one.get(name), other.get(name)))
}

// OpenID Registration §2.1: a language tag is chosen by the registrant, and the name before it is one of the standards.
const withoutTag = (name: string): string => (name.includes('#') ? name.slice(0, name.indexOf('#')) : name)

/** The names of the members in which two versions of a client differ; of all members, where there was none before. */
export const changedMembers = (
  before: RegisteredClient | undefined,
  after: RegisteredClient,
): ReadonlyArray<string> => {
  const names = before === undefined ? namesOf(after) : differing(before, after)
  return [...new Set(names.map(withoutTag))].sort()
}
