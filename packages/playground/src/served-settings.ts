// The settings of the service that serves the page, in a meta element of the page.
import { isPlainObject } from '@clientele/domain/kernel'
import { type RegistrationPolicy, decodeRegistrationPolicy, noPolicy } from '@clientele/domain/policy'
import type { RegistrationSettings } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'

export type ServedSettings = Pick<
  RegistrationSettings,
  'mode' | 'policy' | 'outboundFetches' | 'lenient' | 'isOnLoopback'
> & {
  readonly registrationStatus: number
}

/** The default settings of a service. */
export const defaultSettings: ServedSettings = {
  mode: { kind: 'managed' },
  policy: noPolicy,
  outboundFetches: false,
  registrationStatus: 200,
}

// The maximum numbers of clients have no effect here, and are not public; nor is what is said of single clients.
const untold: ReadonlyArray<string> = ['maximum_clients', 'maximum_unused_open_clients', 'clients']

const published = (policy: RegistrationPolicy): object =>
  Object.fromEntries(Object.entries(policy).filter(([name]) => !untold.includes(name)))

const asAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/**
 * The page with the settings of the service that serves it. It adds no script, so that the page's own policy still
 * permits all.
 */
export const withSettings = (
  page: string,
  { mode, policy, outboundFetches, lenient, isOnLoopback, registrationStatus }: ServedSettings,
): string =>
  page.replace('<meta name="registration-settings" content=""', () => {
    const flags = { outboundFetches, lenient, isOnLoopback }
    const reported = JSON.stringify({ mode, policy: published(policy), ...flags, registrationStatus })
    return `<meta name="registration-settings" content="${asAttribute(reported)}"`
  })

const modeIn = (mode: unknown): ServedSettings['mode'] | undefined => {
  if (!isPlainObject(mode)) return undefined
  const { kind, scope } = mode
  if (kind === 'managed') return { kind }
  return kind === 'open' && Array.isArray(scope) && scope.every((value) => typeof value === 'string')
    ? { kind, scope }
    : undefined
}

const flagsIn = (json: Readonly<Record<string, unknown>>): Pick<ServedSettings, 'lenient' | 'isOnLoopback'> =>
  Object.fromEntries(
    ['lenient', 'isOnLoopback'].flatMap((name) => (typeof json[name] === 'boolean' ? [[name, json[name]]] : [])),
  )

/** The settings in the element; undefined for the page as a file, which no service serves, and for any other text. */
export const readSettings = (text: string): ServedSettings | undefined => {
  const json = O.toUndefined(O.tryCatch((): unknown => JSON.parse(text)))
  if (!isPlainObject(json)) return undefined
  const { outboundFetches, registrationStatus } = json
  const mode = modeIn(json['mode'])
  const policy = decodeRegistrationPolicy(json['policy'])
  return mode !== undefined &&
    E.isRight(policy) &&
    typeof outboundFetches === 'boolean' &&
    typeof registrationStatus === 'number'
    ? { mode, policy: policy.right, outboundFetches, registrationStatus, ...flagsIn(json) }
    : undefined
}
