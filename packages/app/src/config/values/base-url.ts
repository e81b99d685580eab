import { isIPv4 } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import type { Parse } from './setting.js'

export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '[::1]' ||
  host === '::1' ||
  (isIPv4(host) && host.startsWith('127.'))

const hasOnlyOriginAndPath = (url: URL): boolean =>
  url.search === '' && url.hash === '' && url.username === '' && url.password === ''

const isNormal = (url: URL, text: string): boolean => text === url.href.replace(/\/$/, '')

const isPlainRemote = (url: URL): boolean => url.protocol === 'http:' && !isLoopback(url.hostname)

// RFC 3986 §2.3: the path is the same in URLs and in the router
const plainPath = /^\/(?:[\w.~-]+(?:\/[\w.~-]+)*)?$/

const brokenRule = (text: string, url: URL): string | undefined => {
  if (!/^https?:$/.test(url.protocol)) return 'an http or https URL'
  if (!hasOnlyOriginAndPath(url) || /[?#]/.test(text)) return 'without user, query and fragment'
  if (text.endsWith('/')) return 'without a slash at its end'
  if (!isNormal(url, text)) return 'in its normal form: lower-case scheme and host, no default port, no dot segments'
  if (!plainPath.test(url.pathname)) return 'with a path of letters, digits, - . _ and ~'
  return isPlainRemote(url) ? 'https, because its host is not loopback' : undefined
}

// OpenID Connect Discovery §3: the issuer is an https URL without query and fragment. On loopback, http is accepted.
export const baseUrl: Parse<string> = (text) => {
  if (!URL.canParse(text)) return E.left('an absolute URL, such as https://id.example.com')
  const rule = brokenRule(text, new URL(text))
  return rule === undefined ? E.right(text) : E.left(rule)
}

export const pathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '')
