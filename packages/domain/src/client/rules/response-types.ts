import { fault } from '../../codec/fault.js'
import { usesRedirects } from '../client-metadata.js'
import type { MetadataRule } from './rule.js'

// RFC 7591 §2.1, OpenID Registration §2: the grant that each word of a response type needs; none needs no grant
const grantOfWord: ReadonlyMap<string, string> = new Map([
  ['code', 'authorization_code'],
  ['id_token', 'implicit'],
  ['token', 'implicit'],
])

const grantsOf = (responseType: string): ReadonlyArray<string> =>
  responseType.split(' ').flatMap((word) => grantOfWord.get(word) ?? [])

export const responseTypeGrants: MetadataRule = {
  members: ['response_types', 'grant_types'],
  faultsOf: ({ response_types, grant_types }) =>
    response_types.flatMap((responseType, index) =>
      grantsOf(responseType).every((grantType) => grant_types.includes(grantType))
        ? []
        : [fault('response-type-grant')('response_types', index)],
    ),
}

// RFC 7591 §2.1: a client must not register an inconsistent state
export const responseTypesRequired: MetadataRule = {
  members: ['response_types', 'grant_types'],
  faultsOf: ({ response_types, grant_types }) =>
    usesRedirects(grant_types) && response_types.length === 0
      ? [fault('response-types-required')('response_types')]
      : [],
}
