import { hostsOf, nameOf, targets } from '@clientele/adapters-postgresql/hosts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Parse } from './setting.js'

/** The URL has the password, and is never shown as a whole. */
export type PostgresqlUrl = { readonly scheme: 'postgresql'; readonly url: string }

export const postgresqlRule =
  'postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with % before the codes of special characters, and commas between several HOST:PORT'

const targetRule = `with target_session_attrs ${targets.join(', ')}, or without it, because an instance reads from no standby`

const isTlsParameter = (name: string): boolean => /^(ssl|uselibpqcompat|channel_binding)/i.test(name)

// A Unix socket is in a directory, which the parameter `host` names.
const isSocketDirectory = (name: string, value: string): boolean => name === 'host' && value.startsWith('/')

const hasDatabase = ({ pathname }: URL): boolean => /^\/[^/]+$/.test(pathname)

const brokenRule = (url: URL): string | undefined => {
  const parameters = [...url.searchParams].filter(([name]) => name !== 'target_session_attrs')
  if (parameters.some(([name]) => isTlsParameter(name)))
    return 'without parameters of TLS, in place of which database-tls is set'
  if (!parameters.every(([name, value]) => isSocketDirectory(name, value)))
    return 'without parameters, but for target_session_attrs, and for host with the directory of a Unix socket'
  if (url.hash !== '') return `${postgresqlRule}; # is %23`
  if (!hasDatabase(url)) return `with the name of a database: ${postgresqlRule}`
  // The driver would take a host from the environment.
  const hasHost = url.hostname !== '' || parameters.length > 0
  return hasHost ? undefined : `with the name of a host: ${postgresqlRule}`
}

const parsed = (text: string): O.Option<URL> =>
  O.tryCatch(() => {
    const url = new URL(text)
    decodeURIComponent(url.href)
    return url
  })

/** The rule that the URL of one of the hosts breaks. */
const brokenRuleOf = (text: string): string | undefined =>
  pipe(
    parsed(text),
    O.match(() => postgresqlRule, brokenRule),
  )

/** Reads the rest of a URL after its scheme. */
export const postgresqlUrl =
  (scheme: string): Parse<PostgresqlUrl> =>
  (rest) => {
    const url = `${scheme}:${rest}`
    if (!rest.startsWith('//') || /\s/.test(rest)) return E.left(postgresqlRule)
    const { urls, target } = hostsOf(url)
    const rule = urls.map(brokenRuleOf).find((each) => each !== undefined)
    if (rule !== undefined) return E.left(rule)
    return target === undefined ? E.left(targetRule) : E.right({ scheme: 'postgresql', url })
  }

/** Hosts and database alone. */
export const postgresqlName = ({ url }: PostgresqlUrl): string => nameOf(url)
