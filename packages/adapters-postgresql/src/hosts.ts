// One URL for several hosts: PostgreSQL, libpq, 34.1.1.2 "Connection URIs" and 34.1.1.3 "Specifying Multiple Hosts".

/**
 * PostgreSQL, libpq, 34.1.2 "target_session_attrs": what a server must be. The values that look for a standby are left
 * out: it has no replaced or removed credential until its lag is over, and takes no writes.
 */
export const targets = ['read-write', 'primary', 'any'] as const
export type Target = (typeof targets)[number]

export type Hosts = {
  /** A URL for each host, in the order in which they are tried. */
  readonly urls: ReadonlyArray<string>
  /** Undefined for a value that is not supported. By default, several hosts are asked which one takes writes. */
  readonly target: Target | undefined
}

// The hosts follow the last @ of what is before the path. A comma in a password is before it.
const authority = /^([^/?#]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

const attributeOf = (url: string): string | null =>
  URL.canParse(url) ? new URL(url).searchParams.get('target_session_attrs') : null

export const hostsOf = (url: string): Hosts => {
  const [, before = '', hosts = '', after = ''] = authority.exec(url) ?? [url, url]
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`)
  const named = attributeOf(urls[0] ?? '') ?? (urls.length > 1 ? 'read-write' : 'any')
  return { urls, target: targets.find((each) => each === named) }
}

/** Hosts, ports and database, for messages: without user and password. */
export const nameOf = (url: string): string => {
  const parsed = hostsOf(url).urls.map((each) => new URL(each))
  return `postgresql://${parsed.map(({ host }) => host).join(',')}${parsed[0]?.pathname ?? ''}`
}
