import { type JsonObject, isJsonObject, maxDepth, parseWellFormedJson } from '@clientele/domain/kernel'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { base64url } from 'jose'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

// Parts are read as strictly as a body, because JSON readers treat repeated names and malformed text differently.
/** The JSON object in a part of a JWT. */
export const strictJsonPart = (part: string | undefined): O.Option<JsonObject> =>
  pipe(
    O.tryCatch(() => strictUtf8.decode(base64url.decode(part ?? ''))),
    O.flatMap((text) => O.fromEither(parseWellFormedJson(text))),
    O.filter(isJsonObject(maxDepth)),
  )
