import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Parse } from './setting.js'

/** The URL has the password, and is never shown as a whole. */
export type PostgresqlUrl = { readonly scheme: 'postgresql'; readonly url: string }

export const postgresqlRule =
  'postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with % before the codes of special characters'

const oneHost =
  'the URL of one host, which leads to the primary after a failover: several hosts and target_session_attrs are not supported, use a proxy or an address that moves (docs/several-instances.md)'

// The port before a comma is no number, so that such a text is no URL.
const namesHosts = (text: string): boolean => /^\/\/(?:[^/?#]*@)?[^/?#@]*,/.test(text)

const isOfHosts = (name: string): boolean => /^(target_session_attrs|load_balance_hosts)$/i.test(name)

const isTlsParameter = (name: string): boolean => /^(ssl|uselibpqcompat|channel_binding)/i.test(name)

// A Unix socket is in a directory, which the parameter `host` names.
const isSocketDirectory = (name: string, value: string): boolean => name === 'host' && value.startsWith('/')

const hasDatabase = ({ pathname }: URL): boolean => /^\/[^/]+$/.test(pathname)

const brokenRule = (url: URL): string | undefined => {
  const parameters = [...url.searchParams]
  if (parameters.some(([name]) => isOfHosts(name))) return oneHost
  if (parameters.some(([name]) => isTlsParameter(name)))
    return 'without parameters of TLS, in place of which database-tls is set'
  if (!parameters.every(([name, value]) => isSocketDirectory(name, value)))
    return 'without parameters, but for host with the directory of a Unix socket'
  if (url.hash !== '') return `${postgresqlRule}; # is %23`
  if (!hasDatabase(url)) return `with the name of a database: ${postgresqlRule}`
  // The driver would take a host from the environment.
  const hasHost = url.hostname !== '' || parameters.length > 0
  return hasHost ? undefined : `with the name of a host: ${postgresqlRule}`
}

const parsed = (text: string): O.Option<URL> =>
  pipe(
    O.tryCatch(() => {
      const url = new URL(text)
      decodeURIComponent(url.href)
      return url
    }),
    O.filter(() => !/\s/.test(text)),
  )

/** Reads the rest of a URL after its scheme. */
export const postgresqlUrl =
  (scheme: string): Parse<PostgresqlUrl> =>
  (rest) =>
    pipe(
      rest,
      E.fromPredicate(
        (text) => !namesHosts(text),
        () => oneHost,
      ),
      E.flatMap((text) =>
        pipe(
          text.startsWith('//') ? parsed(`${scheme}:${text}`) : O.none,
          E.fromOption(() => postgresqlRule),
        ),
      ),
      E.flatMap((url) => {
        const rule = brokenRule(url)
        return rule === undefined ? E.right({ scheme: 'postgresql' as const, url: url.href }) : E.left(rule)
      }),
    )

/** Host and database alone. */
export const postgresqlName = ({ url }: PostgresqlUrl): string => {
  const { host, pathname } = new URL(url)
  return `postgresql://${host}${pathname}`
}
