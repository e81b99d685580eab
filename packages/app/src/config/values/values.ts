import { isIP } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import ipaddr from 'ipaddr.js'
import type { Parse } from './setting.js'

const matching =
  (rule: string, holds: (text: string) => boolean): Parse<string> =>
  (text) =>
    holds(text) ? E.right(text) : E.left(rule)

export const integer =
  (minimum: number, maximum: number): Parse<number> =>
  (text) =>
    /^\d{1,12}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
      ? E.right(Number(text))
      : E.left(`a whole number from ${minimum} to ${maximum}`)

export const boolean: Parse<boolean> = (text) =>
  text === 'true' || text === 'false' ? E.right(text === 'true') : E.left('true or false')

export const oneOf =
  <A extends string | number>(...values: ReadonlyArray<A>): Parse<A> =>
  (text) =>
    pipe(
      values.find((value) => String(value) === text),
      E.fromNullable(`one of ${values.join(', ')}`),
    )

export const list =
  <A>(separator: RegExp, parse: Parse<A>): Parse<ReadonlyArray<A>> =>
  (text) =>
    pipe(
      text.split(separator).filter((item) => item !== ''),
      E.traverseArray(parse),
    )

export const distinct =
  <A>(parse: Parse<ReadonlyArray<A>>): Parse<ReadonlyArray<A>> =>
  (text) =>
    pipe(
      parse(text),
      E.filterOrElse(
        (values) => values.length > 0 && new Set(values).size === values.length,
        () => 'a list of at least one value, each only once',
      ),
    )

export const commas = /[\s,]+/
export const spaces = / +/

export const nonEmptyText = matching('a text without spaces and control characters', (text) =>
  /^[\x21-\x7e]{1,255}$/.test(text),
)

export const file = matching('the path of a file', (text) => text !== '' && !/[\0\n]|[/\\]$/.test(text))

export const path = matching('the path of a directory', (text) => text !== '' && !text.includes('\0'))

export const host = matching(
  'a host name or an IP address',
  (text) => isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text),
)

// RFC 6749 §3.3: scope-token
export const scopeToken = matching('scope values separated by spaces, without quotation marks or backslashes', (text) =>
  /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(text),
)

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text

// RFC 6454 §6.2: scheme, host and port as browsers send them
export const originOrAny = matching(
  'origins separated by commas, such as https://app.example.com, in lower case and without a path, or *',
  (text) => text === '*' || (isOrigin(text) && !text.includes('*')),
)

export const addressRange = matching(
  'CIDRs or addresses separated by commas, such as 10.0.0.0/8',
  (text) => ipaddr.isValidCIDR(text) || isIP(text) !== 0,
)

export const clientId: Parse<string> = (text) =>
  /^[\x21-\x7e]+$/.test(text) ? E.right(text) : E.left('a list of client_id')
