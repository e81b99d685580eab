// What clientele doctor finds, and how it is judged: pure functions of what was read.
import type { AnnouncedInstance } from '@clientele/domain/instances'
import type { KeyDescription } from '@clientele/domain/keys'
import type { NotificationDescription } from '@clientele/domain/logout'
import { isoTime, type RemovalsAhead, removalsText } from '../text.js'

export type Finding = {
  readonly check: string
  readonly level: 'ok' | 'warning' | 'fault'
  readonly text: string
  /** Left out where there is nothing to do. */
  readonly remedy?: string
}

export type Findings = ReadonlyArray<Finding>

export const ok = (check: string, text: string): Finding => ({ check, level: 'ok', text })
export const warning = (check: string, text: string, remedy: string): Finding => ({
  check,
  level: 'warning',
  text,
  remedy,
})
export const fault = (check: string, text: string, remedy: string): Finding => ({ check, level: 'fault', text, remedy })

/** Those that there are. */
export const found = (...all: ReadonlyArray<Finding | false>): Findings => all.filter((each) => each !== false)

const day = 86_400
/** Seconds by which a change may be late, or a clock may differ. */
const patience = 60

/** The keys that sign or are published, and their next changes. */
export const keyFindings = (keys: ReadonlyArray<KeyDescription>, at: number): Findings => {
  const used = keys.filter(({ phase }) => phase === 'signing' || phase === 'published')
  if (!used.some(({ phase }) => phase === 'signing'))
    return [
      fault('keys', 'No key signs', 'Start the service, or clientele keys create where the keys are gone for good'),
    ]
  return used.map(({ alg, use, published_at, next, next_at }) => {
    const days = Math.max(0, Math.floor((at - published_at) / day))
    const text = `${alg} (${use}) is ${days} days old, and ${next} at ${isoTime(next_at)}`
    return next_at + patience < at
      ? fault('keys', `${text}, which is over`, 'Start the service, or see its log: it changes keys when they are due')
      : ok('keys', text)
  })
}

/** A key of the future, which a clock that was set back leaves. */
export const clockFinding = (keys: ReadonlyArray<KeyDescription>, at: number): Finding => {
  const ahead = Math.max(...keys.map(({ since }) => since), 0) - at
  return ahead > patience
    ? fault('clock', `The clock is ${ahead} seconds behind that of the last change of a key`, 'Synchronize it by NTP')
    : ok('clock', `The clock shows ${isoTime(at)}`)
}

/** Rows of the audit log of the future: they stay when a start has set the times of keys back to a clock that is behind. */
export const auditClockFindings = (times: ReadonlyArray<number>, at: number): Findings => {
  const last = Math.max(...times, 0)
  return found(
    last - at > patience &&
      fault(
        'clock',
        `The clock went back: the audit log has a row of ${isoTime(last)}, and it is ${isoTime(at)}`,
        'Synchronize it by NTP; until then, what expires does so too late',
      ),
  )
}

/** Algorithms that the metadata promises without a key: none, and those with a client_secret, need none. */
export const discoveryFinding = (
  metadata: string,
  promised: ReadonlyArray<string>,
  keys: ReadonlyArray<KeyDescription>,
): Finding => {
  const signed = keys.flatMap(({ alg, phase }) => (phase === 'signing' ? [alg] : []))
  const missing = promised.filter((alg) => alg !== 'none' && !alg.startsWith('HS') && !signed.includes(alg))
  return missing.length === 0
    ? ok('discovery', `${metadata} promises what keys sign: ${promised.join(', ')}`)
    : fault(
        'discovery',
        `${metadata} promises ID tokens signed by ${missing.join(', ')}, for which there is no key`,
        'Add them to signing-algorithms, or leave them out of provider-metadata',
      )
}

const old = 3_600

/** Applications that are still to be notified of a logout. */
export const notificationFinding = (
  notifications: ReadonlyArray<NotificationDescription>,
  delivers: boolean,
  at: number,
): Finding => {
  const all = notifications.length
  const failed = notifications.filter(({ state }) => state === 'failed').length
  const late = notifications.filter(({ created_at }) => created_at + old < at).length
  if (all > 0 && !delivers)
    return fault('logouts', `Logout notifications that are not sent: ${all}`, 'Set outbound-fetches to true')
  if (failed > 0)
    return warning(
      'logouts',
      `Logout notifications that were given up: ${failed}`,
      'See clientele logouts list, then clientele logouts retry',
    )
  return late > 0
    ? warning(
        'logouts',
        `Logout notifications that are older than an hour: ${late}`,
        'See clientele logouts list for the reasons',
      )
    : ok('logouts', `Logout notifications that are pending: ${all}`)
}

type RunningInstance = Pick<AnnouncedInstance, 'id' | 'version'> & {
  readonly differing_settings: ReadonlyArray<string>
}

/** The instances on a shared database. */
export const instanceFindings = (instances: ReadonlyArray<RunningInstance>): Findings => {
  const differing = instances.filter(({ differing_settings }) => differing_settings.length > 0)
  const versions = [...new Set(instances.map(({ version }) => version))]
  return found(
    ok('instances', `Instances that run: ${instances.length}`),
    ...differing.map(({ id, differing_settings }) =>
      fault('instances', `${id} differs in ${differing_settings.join(', ')}`, 'Give all instances the same values'),
    ),
    versions.length > 1 && warning('instances', `Several versions run: ${versions.join(', ')}`, 'Complete the upgrade'),
  )
}

const megabyte = 1_048_576

/** Free space on the disk of the database, in octets. */
export const spaceFinding = (free: number, database: number): Finding => {
  const text = `${Math.floor(free / megabyte)} MB are free, beside ${Math.ceil(database / megabyte)} MB of the database`
  const remedy = 'Free some space: without it, registration is answered with 503'
  if (free < 64 * megabyte) return fault('disk', text, remedy)
  return free < Math.max(2 * database, 512 * megabyte) ? warning('disk', text, remedy) : ok('disk', text)
}

type SealReport = {
  readonly sealed: number
  readonly unreadable: number
  readonly keys: { readonly opens_with: ReadonlyArray<string>; readonly values: number }
}

/** Values that are sealed with another key than the first one. */
export const encryptionFindings = ({ sealed, unreadable, keys: { opens_with, values } }: SealReport): Findings =>
  found(
    unreadable > 0 &&
      fault(
        'encryption key',
        `Values that no key opens: ${unreadable}`,
        'Add the key of their time to the others, in the settings of this command and of the service',
      ),
    sealed > 0
      ? warning(
          'encryption key',
          `Values that an earlier key seals: ${sealed} of ${values}`,
          'Run clientele encryption-key rotate',
        )
      : ok(
          'encryption key',
          opens_with.length === 1
            ? 'One key seals all values'
            : `The first of ${opens_with.length} keys seals all values`,
        ),
    sealed === 0 &&
      unreadable === 0 &&
      opens_with.length > 1 &&
      warning(
        'encryption key',
        'An earlier key is still among the keys',
        'Drop it: clientele encryption-key drop, or take it out of the setting',
      ),
  )

/** A client_id in a setting, and who registered the client; undefined where there is none. */
export type NamedClient = { readonly setting: string; readonly id: string; readonly registered_by: string | undefined }

const namedFinding = ({ setting, id, registered_by }: NamedClient): Finding =>
  registered_by === undefined
    ? warning(
        'clients',
        `${setting} names ${id}, which no client has`,
        'Register it with the master token, or leave it out',
      )
    : warning(
        'clients',
        `${setting} names ${id}, whose client the authority ${registered_by} registered: it has no effect`,
        'Register the client with the master token, or import its export on this machine with --as-operator --replace',
      )

/** A setting that names a client_id means a client that the master token registered. */
export const namedFindings = (named: ReadonlyArray<NamedClient>): Findings => {
  const others = named.filter(({ registered_by }) => registered_by !== 'master')
  return others.length > 0 ? others.map(namedFinding) : [ok('clients', `Clients that settings name: ${named.length}`)]
}

/** Clients that wait for an approval, of which only the first are counted. */
export const approvalsFinding = (waiting: number, areMore: boolean): Finding =>
  waiting === 0
    ? ok('approvals', 'No client waits for an approval')
    : warning(
        'approvals',
        `Clients that wait for an approval: ${waiting}${areMore ? ' or more' : ''}`,
        'See them by clientele clients list --state pending, then clientele clients approve or refuse them',
      )

/** Clients that the service will remove by itself. */
export const removalsFinding = (announced: RemovalsAhead): Finding =>
  announced.clients === 0
    ? ok('removals', removalsText(announced))
    : warning(
        'removals',
        removalsText(announced),
        'See them by clientele clients list --state parked, or --state pending; a longer unused-open-removed-after or approval-lifetime lets them wait, and clientele clients restore brings one back',
      )
