import type { Privileges } from '@clientele/domain/authorization'

const parts = ['grant_types', 'scope', 'data', 'preferred_client_id', 'preferred_client_secret'] as const

/** The privileges, and each part of them alone with the other parts as given: so that every part decides some cases. */
export const partByPart = (whole: Privileges, rest: Privileges): ReadonlyArray<Privileges> => [
  whole,
  ...parts.map((part) => ({ ...rest, [part]: whole[part] })),
]
