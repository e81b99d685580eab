import { isPlainObject, readJson } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readFile } from '../config/files.js'
import type { Parse } from '../config/values.js'
import { readSecretFile } from './secret-file.js'

const rule = 'one JSON object, a JSON Web Key set (RFC 7517)'

const jsonObject: Parse<object> = (text) =>
  pipe(
    readJson(text),
    E.mapLeft((fault) => `${rule}: it ${fault.text}`),
    E.filterOrElse(isPlainObject, () => rule),
  )

/** A file of public keys, which may be readable for all users. */
export const readPublicKeySetFile = (path: string): E.Either<string, object> =>
  pipe(
    readFile(path),
    E.mapLeft((code) => `${path} cannot be read (${code})`),
    E.flatMap((text) =>
      pipe(
        jsonObject(text.trim()),
        E.mapLeft((rule) => `${path} must hold ${rule}`),
      ),
    ),
  )

/** A JSON file of private keys, readable for its owner only; or the refusal in one line. */
export const readKeySetFile = readSecretFile(jsonObject, 'export the keys of the other server anew')
