import type { Privileges } from '@clientele/domain/authorization'

const texts = {
  grant_types: { any: 'any grant type', each: 'grant type' },
  scope: { any: 'any scope value', each: 'scope value' },
}

const flags = {
  data: 'custom data',
  preferred_client_id: 'a client_id of its own',
  preferred_client_secret: 'a client_secret of its own',
}

const listed = (part: keyof typeof texts, values: Privileges[typeof part]): ReadonlyArray<string> =>
  values === 'any' ? [texts[part].any] : values.map((value) => `${texts[part].each} ${value}`)

/** The parts of a set of privileges, each in a few words. */
export const privilegeTexts = (privileges: Privileges): ReadonlyArray<string> => [
  ...listed('grant_types', privileges.grant_types),
  ...listed('scope', privileges.scope),
  ...(privileges.data ? [flags.data] : []),
  ...(privileges.preferred_client_id ? [flags.preferred_client_id] : []),
  ...(privileges.preferred_client_secret ? [flags.preferred_client_secret] : []),
]
