// The texts of a client in which the operator searches, and the form in which texts are compared.
import { memberOfVariant } from '../client/language-tagged.js'
import type { ListedClient } from './listed-client.js'

/**
 * Letters of either case are alike, and so are compatible characters (Unicode NFKC). Control characters count as spaces,
 * so that no text contains the separator of a store.
 */
export const foldedText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\p{Cc}/gu, ' ')

// RFC 3986 §3: the host of the authority; for a private-use scheme (RFC 8252 §7.1), which names its owner, the scheme
const parts = /^([a-z][a-z0-9+.-]*):(?:\/\/(?:[^/?#@]*@)?([^/?#]*))?/i

const hostOf = (uri: string): ReadonlyArray<string> => {
  const [, scheme = '', host = ''] = parts.exec(uri) ?? []
  return [host === '' ? scheme : host].filter((text) => text !== '')
}

const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
}

const searched = ['client_name', 'software_id', 'contacts']

const textsOfMember = ([name, value]: readonly [string, unknown]): ReadonlyArray<string> => {
  const member = memberOfVariant(name) ?? name
  if (searched.includes(member)) return textsIn(value)
  return member.endsWith('_uri') || member.endsWith('_uris') ? textsIn(value).flatMap(hostOf) : []
}

/** Folded: the client_id, the names in all languages, software_id, contacts, and the hosts of all URIs. */
export const searchTexts = ({
  client_id,
  metadata,
}: Pick<ListedClient, 'client_id' | 'metadata'>): ReadonlyArray<string> => [
  ...new Set([client_id, ...Object.entries(metadata).flatMap(textsOfMember)].map(foldedText)),
]

/** The number of characters that a search has at least: stores find texts by three. */
export const minSearch = 3
export const maxSearch = 100

/** The sequences of three characters of a folded text: each text that contains it has them all. */
export const trigramsOf = (folded: string): ReadonlyArray<string> => {
  const characters = Array.from(folded)
  return [...new Set(characters.slice(2).map((_, place) => characters.slice(place, place + minSearch).join('')))]
}
