import {
  cibaMembers,
  credentialMembers,
  federationMembers,
  mutualTlsMembers,
  nfvMembers,
  requestMembers,
  responseMembers,
} from './members/extension-members.js'
import { choiceMembers } from './members/choice-members.js'
import type { Member } from './members/member.js'
import { oauthMembers, ownMembers, redirectMember } from './members/oauth-members.js'
import { logoutMembers, openidMembers } from './members/openid-members.js'

/**
 * All known members of client metadata, in the order in which faults are reported. This table is the source of
 * decoding, docs/client-metadata.md, the JSON Schema and the lists in the provider metadata.
 */
export const members = {
  ...redirectMember,
  ...oauthMembers,
  ...openidMembers,
  ...logoutMembers,
  ...requestMembers,
  ...mutualTlsMembers,
  ...responseMembers,
  ...cibaMembers,
  ...federationMembers,
  ...nfvMembers,
  ...credentialMembers,
  ...choiceMembers,
  ...ownMembers,
}

export type MemberName = keyof typeof members

type ValueOf<M> = M extends Member<infer A> ? A : never

/** RFC 7591 §2: the known members, each with its type. */
export type KnownMembers = { readonly [Name in MemberName]?: ValueOf<(typeof members)[Name]> }

export const isMemberName = (name: string): name is MemberName => Object.hasOwn(members, name)

/** RFC 7591 §2.2, OpenID Federation §14: the members that may have a language tag, as in client_name#fr. */
export const humanReadableMembers = [
  'client_name',
  'client_uri',
  'logo_uri',
  'tos_uri',
  'policy_uri',
  'organization_name',
  'organization_uri',
  'description',
  'keywords',
  'information_uri',
] as const
