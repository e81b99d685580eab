// Texts for people at a terminal: in one line without control characters, with counts, times and what will be removed.
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { AnnouncedRemovals } from '@clientele/domain/operations'

const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')

/** The text in one line with control and format characters escaped. */
export const printable = (text: string): string => text.replace(unprintable, escaped)

/** A value as JSON in one line, with control and format characters escaped. */
export const printableJson = (value: unknown): string => printable(JSON.stringify(value))

/** The text with the same characters escaped in each of its lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

/** A value as JSON over several lines, for people and machines. */
export const printableDocument = (value: unknown): string => printableLines(JSON.stringify(value, null, 2))

/** The text as one word for a shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A number of things, in words for people. */
export const counted = (count: number, one: string, several: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`

/** RFC 3339, in whole seconds and UTC; a number that is no time, as it is. */
export const isoTime = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace('.000Z', 'Z')
}

/** The day of a time. */
export const isoDay = (seconds: number): string => isoTime(seconds).slice(0, 10)

export type RemovalsAhead = Omit<AnnouncedRemovals, 'first_at'> & { readonly first_at?: EpochSeconds | undefined }

/** What will be removed, and when. */
export const removalsText = ({ clients, within_a_day, within_a_week, first_at }: RemovalsAhead): string =>
  first_at === undefined
    ? 'No client will be removed by the service itself'
    : `${counted(clients, 'client', 'clients')}, parked or without an approval, will be removed unless they are used or approved: the first at ${isoTime(first_at)}, ${within_a_day} within a day, ${within_a_week} within a week`
