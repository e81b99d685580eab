import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { InvalidRequest } from '../errors.js'
import { invalidRequest } from '../errors.js'
import { maximumDepth } from './json-object.js'

const stringLiteral = /"[^"\\]*(?:\\.[^"\\]*)*"/g

// Because JSON.parse keeps the last of two equal names in silence, they are counted: outside of strings, each colon is a member.
const membersInText = (text: string): number => text.replace(stringLiteral, '').split(':').length - 1

type Survey = { readonly members: number; readonly deepest: number; readonly sound: boolean }

const isSoundText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')

const survey = (value: unknown, depth: number): Survey => {
  if (typeof value === 'string') return { members: 0, deepest: depth, sound: isSoundText(value) }
  if (typeof value !== 'object' || value === null) return { members: 0, deepest: depth, sound: true }
  if (depth >= maximumDepth) return { members: 0, deepest: depth + 1, sound: true }
  const names = Array.isArray(value) ? [] : Object.keys(value)
  return Object.values(value)
    .map((child) => survey(child, depth + 1))
    .reduce(
      (sum, child) => ({
        members: sum.members + child.members,
        deepest: Math.max(sum.deepest, child.deepest),
        sound: sum.sound && child.sound,
      }),
      {
        members: names.length,
        deepest: depth + 1,
        sound: names.every((name) => isSoundText(name) && name !== '__proto__'),
      },
    )
}

const refuse = (description: string): E.Either<InvalidRequest, never> => E.left(invalidRequest(description))

const refuseUnsound =
  (text: string) =>
  (value: unknown): E.Either<InvalidRequest, unknown> => {
    const { members, deepest, sound } = survey(value, 0)
    if (deepest > maximumDepth) return refuse('The JSON body is nested deeper than 32 levels: flatten it')
    if (!sound)
      return refuse('The JSON body holds a lone surrogate, a NUL character or a member named __proto__: leave it out')
    // RFC 8259 §4: names within an object should be unique; what readers make of repeated ones is unpredictable
    return members === membersInText(text)
      ? E.right(value)
      : refuse('The JSON body repeats the name of a member: send each once')
  }

/** A JSON text as one value that every reader understands alike, or why not. Linear in the length of the text. */
export const parseWellFormedJson = (text: string): E.Either<InvalidRequest, unknown> =>
  pipe(
    E.tryCatch(
      (): unknown => JSON.parse(text),
      () => invalidRequest('The body is not valid JSON: send one object in UTF-8, without a byte order mark'),
    ),
    E.flatMap(refuseUnsound(text)),
  )
