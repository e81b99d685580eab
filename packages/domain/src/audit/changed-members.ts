import type { RegisteredClient } from '../registration/registered-client.js'

type Values = ReadonlyMap<string, unknown>

// RFC 8259 §4: members of an object in another order are the same value, and yet another text: that counts as a change.
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

// Without an earlier version no value is compared: registrations are frequent, and keys are long.
const differing = (one: Values, other: Values): ReadonlyArray<string> =>
  one.size === 0
    ? [...other.keys()].filter((name) => other.get(name) !== undefined)
    : [...new Set([...one.keys(), ...other.keys()])].filter((name) => !isSame(one.get(name), other.get(name)))

// OpenID Registration §2.1: a language tag is chosen by the registrant, and the name before it is one of the standards.
const withoutTag = (name: string): string => (name.includes('#') ? name.slice(0, name.indexOf('#')) : name)

const valuesOf = (client: RegisteredClient | undefined): Values =>
  client === undefined
    ? new Map()
    : new Map<string, unknown>(
        Object.entries(client.metadata).concat([
          ['client_secret', client.secret?.client_secret],
          ['client_secret_expires_at', client.secret?.client_secret_expires_at],
          ['registration_access_token', client.registration_access_token.hash],
          ['registered_by', client.registered_by],
          ['privileges', client.privileges],
          ['suspended_at', client.suspended_at],
        ]),
      )

/** The names of the members in which two versions of a client differ; of all members, where there was none before. */
export const changedMembers = (before: RegisteredClient | undefined, after: RegisteredClient): ReadonlyArray<string> =>
  [...new Set(differing(valuesOf(before), valuesOf(after)).map(withoutTag))].sort()
