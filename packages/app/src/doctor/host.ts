// What clientele doctor reads of files, the disk and the settings.
import * as E from 'fp-ts/lib/Either.js'
import { accessSync, constants, lstatSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isLoopbackUrl } from '../config/values.js'
import type { DataFiles } from '../config/database.js'
import { hostWarning } from '../config/rules.js'
import type { Config } from '../config/settings.js'
import { errorCode, errorReason } from '../config/files.js'
import { gives, isOurs } from '../data/data-directory.js'
import { type Findings, fault, found, ok, spaceFinding, warning } from './findings.js'

const fileFindings = (path: string, isNeeded: boolean): Findings => {
  const read = E.tryCatch(() => lstatSync(path, { throwIfNoEntry: false }), errorReason)
  if (E.isLeft(read)) return [fault('files', `${path}: ${read.left}`, 'Run this as the user of the service')]
  const stats = read.right
  if (stats === undefined)
    return found(isNeeded && fault('files', `${path} is missing`, 'Restore it from a backup, or name another data-dir'))
  const [forbidden, change] = stats.isDirectory() ? [0o022, 'go-w'] : [0o077, '600']
  const mode = (stats.mode & 0o777).toString(8)
  if (gives(stats, forbidden)) return [fault('files', `${path} has mode ${mode}`, `chmod ${change} ${path}`)]
  return [
    isOurs(stats)
      ? ok('files', `${path} has mode ${mode}`)
      : fault('files', `${path} belongs to the user ${stats.uid}`, `Run this as that user, or chown ${path}`),
  ]
}

const leftOver = /\.(tmp|restore-\w+)$/

const leftOvers = (directory: string): Findings => {
  const names = E.getOrElse((): ReadonlyArray<string> => [])(E.tryCatch(() => readdirSync(directory), errorReason))
  return names
    .filter((name) => leftOver.test(name))
    .map((name) => join(directory, name))
    .map((path) => warning('files', `${path} is left of a command that was killed`, `rm -r ${path}`))
}

const secretFindings = (config: Config, name: 'encryption-key' | 'master-token', path: string): Findings =>
  config[name] === undefined
    ? fileFindings(path, true)
    : [ok('files', `${name} is a setting, in place of ${basename(path)}`)]

/** Files and their modes, and the space beside them. */
export const hostFindings = (config: Config, files: DataFiles): Findings => {
  const { directory, database, encryptionKey, masterToken } = files
  const parent = dirname(database)
  const writable = E.tryCatch(() => accessSync(parent, constants.W_OK), errorCode)
  const space = E.tryCatch(() => {
    const { bavail, bsize } = statfsSync(parent)
    return spaceFinding(bavail * bsize, statSync(database).size)
  }, errorReason)
  return found(
    E.isLeft(writable) &&
      writable.left === 'EROFS' &&
      fault('disk', `The file system of ${parent} is read-only`, 'Mount it for writing, and start the service again'),
    ...fileFindings(directory, true),
    ...fileFindings(database, true),
    ...['-wal', '-shm', '.lock'].flatMap((suffix) => fileFindings(database + suffix, false)),
    ...secretFindings(config, 'encryption-key', encryptionKey),
    ...secretFindings(config, 'master-token', masterToken),
    ...leftOvers(parent),
    E.isRight(space) && space.right,
  )
}

/** Settings that contradict each other, or the place of the service. */
export const settingFindings = (config: Config): Findings => {
  const url = config['base-url']
  const proxies = config['trusted-proxies']
  const isPublic = url !== undefined && !isLoopbackUrl(url)
  const exposed = hostWarning(config)
  return found(
    isPublic
      ? ok('base-url', `The issuer is ${url}`)
      : warning(
          'base-url',
          'The issuer is on loopback',
          'Set base-url to the URL that clients use, once it is in use; if the running service has one, give this command its settings (--config)',
        ),
    exposed !== undefined && warning('host', `The setting host ${exposed.rule}`, exposed.remedy),
    proxies.some((range) => range.endsWith('/0')) &&
      fault(
        'proxies',
        'trusted-proxies trusts every address',
        'Name the addresses of the proxies: any sender can choose its address now',
      ),
    isPublic &&
      proxies.length === 0 &&
      warning(
        'proxies',
        'No proxy is trusted',
        'Set trusted-proxies, if a proxy ends TLS: limits count all its requests as one sender',
      ),
  )
}
