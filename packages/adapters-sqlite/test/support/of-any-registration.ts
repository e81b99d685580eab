/** The value without the identities of registrations, which a migration gives to the clients that there are. */
export const ofAnyRegistration = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (member, each: unknown) => (member === 'registration_id' ? undefined : each)),
  ) as unknown
