import { chmodSync, closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Parse } from './config/setting.js'
import { errorCode } from './config/read-file.js'

const syncDirectory = (path: string): void => {
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}

const writeSynced = (path: string, text: string): void => {
  const file = openSync(path, 'wx', 0o600)
  writeSync(file, text)
  fsyncSync(file)
  closeSync(file)
  chmodSync(path, 0o600)
}

/** Makes the file as a whole or not at all. A link never replaces what somebody else has made in the meantime. */
export const writeSecretFile = (path: string, text: string): E.Either<string, void> => {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const written = E.tryCatch(() => {
    writeSynced(draft, text)
    linkSync(draft, path)
    syncDirectory(dirname(path))
  }, errorCode)
  rmSync(draft, { force: true })
  return E.isLeft(written) && written.left !== 'EEXIST'
    ? E.left(`${path} cannot be written (${written.left}): correct data-dir or its permissions`)
    : E.right(undefined)
}

const refuseShared = (path: string): E.Either<string, void> => {
  const { mode } = statSync(path)
  return (mode & 0o077) === 0
    ? E.right(undefined)
    : E.left(`${path} may be used by others than its owner: chmod 600 ${path}`)
}

/** What the file holds, when it is the owner's alone and well-formed. */
export const readSecretFile =
  <A>(parse: Parse<A>, remedy = 'restore it from a backup') =>
  (path: string): E.Either<string, A> =>
    pipe(
      E.tryCatch(
        () => readFileSync(path, 'utf8').trim(),
        (error) => `${path} cannot be read (${errorCode(error)})`,
      ),
      E.tap(() => refuseShared(path)),
      E.flatMap((text) =>
        pipe(
          parse(text),
          E.mapLeft((rule) => `${path} must hold ${rule}: ${remedy}`),
        ),
      ),
    )
