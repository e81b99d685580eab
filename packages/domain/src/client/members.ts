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
import type { Member, MemberProperties } from './members/member.js'
import { oauthMembers, ownMembers, redirectMember } from './members/oauth-members.js'
import { logoutMembers, openidMembers } from './members/openid-members.js'

/**
 * All known members of client metadata, in the order in which faults are reported. This table is the source of
 * decoding, the rules for algorithms, docs/client-metadata.md, the JSON Schema and the lists in the provider metadata.
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

/** The names of the members that have a property. */
export type NameWith<Property extends keyof MemberProperties<unknown>> = {
  [Name in MemberName]: (typeof members)[Name] extends Readonly<Record<Property, unknown>> ? Name : never
}[MemberName]

const namesWith = <Property extends keyof MemberProperties<unknown>>(
  property: Property,
): ReadonlyArray<NameWith<Property>> =>
  Object.keys(members)
    .filter(isMemberName)
    .filter((name): name is NameWith<Property> => Object.hasOwn(members[name], property))

export const humanReadableMembers = namesWith('languageTagged')
export const redirectMembers = namesWith('redirects')
/** The members of which an empty text says nothing. */
export const emptiableMembers = namesWith('emptyIsAbsent')
export const certificateMembers = namesWith('certificateSubject')
/** The members that name an algorithm, except those for content encryption. */
export const algorithmMembers = namesWith('keyOf')
export const contentMembers = namesWith('alg')
export const choiceLists = namesWith('listOf')
