import { type JsonObject, isJsonObject, maxDepth, readJson } from '@clientele/domain/kernel'
import { ownMembers } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ReadFile } from './read-file.js'
import type { Parse } from './setting.js'

const isOwn = (json: JsonObject): boolean => ownMembers.some((name) => Object.hasOwn(json, name))

const jsonObjectOf = (text: string): E.Either<string, JsonObject> =>
  pipe(
    readJson(text),
    E.mapLeft((fault) => `a file with one JSON object: it ${fault.text}`),
    E.filterOrElse(isJsonObject(maxDepth), () => 'a file with one JSON object'),
  )

/** A JSON object to merge into the metadata, without the members that this service determines. */
export const readProviderMetadata =
  (readFile: ReadFile): Parse<JsonObject> =>
  (path) =>
    pipe(
      readFile(path),
      E.mapLeft((code) => `the path of a readable file (${code})`),
      E.flatMap(jsonObjectOf),
      E.flatMap((json) =>
        isOwn(json) ? E.left(`a file without ${ownMembers.join(', ')}: the service knows these itself`) : E.right(json),
      ),
    )
