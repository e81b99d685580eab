import * as fc from 'fast-check'
import type { SentMetadata } from './json-values.js'

type Parts = Readonly<Record<string, fc.Arbitrary<unknown>>>

/** Some of the members, or none. */
export const someOf = (members: Parts): fc.Arbitrary<SentMetadata> =>
  fc.record(members, { requiredKeys: [], noNullPrototype: true })

export const allOf = (members: Parts): fc.Arbitrary<SentMetadata> => fc.record(members, { noNullPrototype: true })

export const together = (...parts: ReadonlyArray<fc.Arbitrary<SentMetadata>>): fc.Arbitrary<SentMetadata> =>
  fc.tuple(...parts).map((made) => {
    const all: Record<string, unknown> = {}
    for (const part of made) Object.assign(all, part)
    return all
  })

export const list = (
  entry: fc.Arbitrary<string>,
  minLength: number,
  maxLength = 3,
): fc.Arbitrary<ReadonlyArray<string>> => fc.uniqueArray(entry, { minLength, maxLength })
