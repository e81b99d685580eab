// How a page names an application. Registrants choose names freely, so that the host always follows the name.
import type { RegisteredClient } from '../registration/registered-client.js'
import { isWebScheme, uriParts } from '../client/uri.js'

export type ShownApplication = { readonly name: string | undefined; readonly host: string }

// The registrant chooses the rest of the URI freely, so that it is not shown.
const shownHost = (uri: string): string => {
  const { scheme, authority } = uriParts(uri)
  return isWebScheme(scheme) ? (authority ?? '').toLowerCase() : `${scheme}:`
}

const primary = (tag: string): string => tag.toLowerCase().split('-')[0] ?? ''

// RFC 7591 §2.2: the variant of the language, else the name without a tag
const nameIn = (language: string, { metadata }: RegisteredClient): string | undefined => {
  const variant = Object.entries(metadata).find(
    ([member]) =>
      member.startsWith('client_name#') && primary(member.slice('client_name#'.length)) === primary(language),
  )
  return typeof variant?.[1] === 'string' ? variant[1] : metadata.client_name
}

/** The name of the application in the language, and the host of the URI. */
export const shownApplication =
  (language: string) =>
  (client: RegisteredClient, uri: string): ShownApplication => ({
    name: nameIn(language, client),
    host: shownHost(uri),
  })
