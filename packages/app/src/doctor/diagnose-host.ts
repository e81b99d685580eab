// What clientele doctor reads of files, the disk and the settings.
import * as E from 'fp-ts/lib/Either.js'
import { type Stats, accessSync, constants, lstatSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DataFiles } from '../config/database.js'
import type { Config } from '../config/settings.js'
import { errorCode, errorReason } from '../config/files.js'
import { isLoopbackUrl } from '../config/login.js'
import { gives, isOurs } from '../data/process-user.js'
import { type Finding, fault, ok, spaceFinding, warning } from './findings.js'

const statsOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })

const fileFinding = (path: string, isNeeded: boolean): ReadonlyArray<Finding> => {
  const found = E.tryCatch(() => statsOf(path), errorReason)
  if (E.isLeft(found)) return [fault('files', `${path}: ${found.left}`, 'Run this as the user of the service')]
  const stats = found.right
  if (stats === undefined)
    return isNeeded ? [fault('files', `${path} is missing`, 'Restore it from a backup, or name another data-dir')] : []
  const bits = stats.isDirectory() ? 0o022 : 0o077
  const mode = (stats.mode & 0o777).toString(8)
  if (gives(stats, bits))
    return [fault('files', `${path} has mode ${mode}`, `chmod ${stats.isDirectory() ? 'go-w' : '600'} ${path}`)]
  return isOurs(stats)
    ? [ok('files', `${path} has mode ${mode}`)]
    : [fault('files', `${path} belongs to the user ${stats.uid}`, `Run this as that user, or chown ${path}`)]
}

const leftOver = /\.(tmp|restore-\w+)$/

const leftOvers = (directory: string): ReadonlyArray<Finding> => {
  const names = E.getOrElse((): ReadonlyArray<string> => [])(E.tryCatch(() => readdirSync(directory), errorReason))
  return names
    .filter((name) => leftOver.test(name))
    .map((name) =>
      warning(
        'files',
        `${join(directory, name)} is left of a command that was killed`,
        `rm -r ${join(directory, name)}`,
      ),
    )
}

const secretOf = (config: Config, name: 'encryption-key' | 'master-token', path: string): ReadonlyArray<Finding> =>
  config[name] === undefined
    ? fileFinding(path, true)
    : [ok('files', `${name} is a setting, in place of ${basename(path)}`)]

const writableFindings = (directory: string): ReadonlyArray<Finding> => {
  const writable = E.tryCatch(() => accessSync(directory, constants.W_OK), errorCode)
  return E.isLeft(writable) && writable.left === 'EROFS'
    ? [
        fault(
          'disk',
          `The file system of ${directory} is read-only`,
          'Mount it for writing, and start the service again',
        ),
      ]
    : []
}

/** Files and their modes, and the space beside them. */
export const fileFindings = (config: Config, files: DataFiles): ReadonlyArray<Finding> => {
  const { directory, database } = files
  const space = E.tryCatch(() => {
    const { bavail, bsize } = statfsSync(dirname(database))
    return spaceFinding(bavail * bsize, statSync(database).size)
  }, errorReason)
  return [
    ...writableFindings(dirname(database)),
    ...fileFinding(directory, true),
    ...fileFinding(database, true),
    ...['-wal', '-shm', '.lock'].flatMap((suffix) => fileFinding(database + suffix, false)),
    ...secretOf(config, 'encryption-key', files.encryptionKey),
    ...secretOf(config, 'master-token', files.masterToken),
    ...leftOvers(dirname(database)),
    ...(E.isRight(space) ? [space.right] : []),
  ]
}

/** Settings that contradict each other, or the place of the service. */
export const settingFindings = (config: Config): ReadonlyArray<Finding> => {
  const url = config['base-url']
  const proxies = config['trusted-proxies']
  const isPublic = url !== undefined && !isLoopbackUrl(url)
  return [
    isPublic
      ? ok('base-url', `The issuer is ${url}`)
      : warning('base-url', 'The issuer is on loopback', 'Set base-url to the URL that clients use, once it is in use'),
    ...(proxies.some((range) => range.endsWith('/0'))
      ? [
          fault(
            'proxies',
            'trusted-proxies trusts every address',
            'Name the addresses of the proxies: any sender can choose its address now',
          ),
        ]
      : []),
    ...(isPublic && proxies.length === 0
      ? [
          warning(
            'proxies',
            'No proxy is trusted',
            'Set trusted-proxies, if a proxy ends TLS: limits count all its requests as one sender',
          ),
        ]
      : []),
  ]
}
