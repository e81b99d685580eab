import { isPlainObject, parseWellFormedJson } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readFile } from '../config/values/read-file.js'
import type { Parse } from '../config/values/setting.js'
import { readSecretFile } from './secret-file.js'

const rule = 'one JSON object, a JSON Web Key set (RFC 7517)'

const jsonObject: Parse<object> = (text) =>
  pipe(
    parseWellFormedJson(text),
    E.mapLeft(() => rule),
    E.filterOrElse(isPlainObject, () => rule),
  )

/** A file of public keys, which anybody may read. */
export const readPublicKeySetFile = (path: string): E.Either<string, object> =>
  pipe(
    readFile(path),
    E.mapLeft((code) => `${path} cannot be read (${code})`),
    E.flatMap((text) =>
      pipe(
        jsonObject(text.trim()),
        E.mapLeft((asserted) => `${path} must hold ${asserted}`),
      ),
    ),
  )

/** A file of private keys: its owner's alone, and JSON; or one line that says why it is not taken. */
export const readKeySetFile = readSecretFile(jsonObject, 'export the keys of the other server anew')
