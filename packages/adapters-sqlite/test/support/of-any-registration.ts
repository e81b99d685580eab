/** The value without registration ids, which a migration generates for existing clients. */
export const ofAnyRegistration = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (member, each: unknown) => (member === 'registration_id' ? undefined : each)),
  ) as unknown
