import { deliveryMode, notificationEndpoint } from './backchannel-authentication.js'
import { choices } from './choices.js'
import { assertionAlgorithm, certificateSubject, confidentialGrant } from './client-authentication.js'
import { encryptionAlgorithms } from './encryption.js'
import { frontchannelLogout } from './frontchannel-logout.js'
import { unsignedIdToken, unsignedLogout } from './id-tokens.js'
import { jwksExclusive, keysRequired } from './keys.js'
import { redirectUrisRequired, redirectUrisUnused } from './redirect-uris-by-grant.js'
import { otherRedirectUris, redirectUris } from './redirect-uris.js'
import { responseTypeGrants, responseTypesRequired } from './response-types.js'
import type { MetadataRule } from './rule.js'
import { secretAlgorithm, secretLength } from './secrets.js'
import { signedRequests } from './signed-requests.js'
import { pairwiseSector, sectorIdentifier } from './subjects.js'

/** The rules of the standards across members; the operator's policy adds others. */
export const allRules: ReadonlyArray<MetadataRule> = [
  redirectUrisRequired,
  redirectUrisUnused,
  redirectUris,
  otherRedirectUris,
  responseTypesRequired,
  responseTypeGrants,
  jwksExclusive,
  keysRequired,
  unsignedIdToken,
  unsignedLogout,
  secretAlgorithm,
  secretLength,
  confidentialGrant,
  assertionAlgorithm,
  certificateSubject,
  ...encryptionAlgorithms,
  signedRequests,
  pairwiseSector,
  sectorIdentifier,
  frontchannelLogout,
  deliveryMode,
  notificationEndpoint,
  ...choices,
]
