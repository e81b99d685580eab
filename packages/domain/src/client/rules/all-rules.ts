import { jwksExclusive, symmetricSignature, unsignedIdToken } from './keys-and-algorithms.js'
import { postLogoutRedirectUris, redirectUris, redirectUrisRequired } from './redirect-uris.js'
import { responseTypeGrants, responseTypesRequired } from './response-types.js'
import type { MetadataRule } from './rule.js'

export const allRules: ReadonlyArray<MetadataRule> = [
  redirectUrisRequired,
  redirectUris,
  postLogoutRedirectUris,
  responseTypesRequired,
  responseTypeGrants,
  jwksExclusive,
  unsignedIdToken,
  symmetricSignature,
]
