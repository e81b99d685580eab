import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { errorReason } from './read-file.js'
import type { Parse } from './setting.js'

const types: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
}

/** Every page contains the picture. */
const maxBytes = 65_536

const rule = 'the path of an .svg, .png, .jpg, .webp or .gif file of at most 64 KiB'

// The size is read first, so that a large file is not read.
const read = (path: string): E.Either<string, Buffer> =>
  pipe(
    E.tryCatch(() => statSync(path).size, errorReason),
    E.mapLeft((reason) => `${rule}, and this cannot be read: ${reason}`),
    E.filterOrElse(
      (size) => size > 0 && size <= maxBytes,
      (size) => `${rule}, and this has ${size} bytes`,
    ),
    E.flatMap(() =>
      E.tryCatch(
        () => readFileSync(path),
        (error) => `${rule}, and this cannot be read: ${errorReason(error)}`,
      ),
    ),
  )

/** The picture as a data: URI (RFC 2397). */
export const readPicture: Parse<string> = (path) => {
  const type = types[extname(path).toLowerCase()]
  if (type === undefined) return E.left(rule)
  return pipe(
    read(path),
    E.map((bytes) => `data:${type};base64,${bytes.toString('base64')}`),
  )
}
