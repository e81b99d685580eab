// The texts of key management for people.
import type { ForeignKeyDescription, KeyDescription } from '@clientele/domain/keys'
import type { KeyList, RevokedKeyList } from '@clientele/domain/operations'
import { printable } from '../observing/printable.js'
import { isoTime } from '../operating/read-answer.js'

const day = 86_400
const units: ReadonlyArray<readonly [number, string]> = [
  [day, 'd'],
  [3600, 'h'],
  [60, 'min'],
]

/** A span of seconds in its two greatest units. */
export const spanText = (seconds: number): string => {
  const whole = Math.max(0, seconds)
  const from = units.findIndex(([size]) => whole >= size)
  if (from === -1) return `${whole} s`
  return units
    .slice(from, from + 2)
    .map(
      ([size, name], index) => `${Math.floor((index === 0 ? whole : whole % (units[from]?.[0] ?? 1)) / size)} ${name}`,
    )
    .join(' ')
}

const nextText = ({ use, next, next_at }: KeyDescription): string =>
  `${use === 'enc' && next === 'signs' ? 'is published' : next} at ${isoTime(next_at)}`

const phaseText = ({ use, phase }: KeyDescription): string =>
  use === 'enc' && phase === 'signing' ? 'published' : phase

const keyText = (key: KeyDescription, at: number): string =>
  [
    printable(key.kid),
    `  ${printable(key.alg)} (${key.use}), ${phaseText(key)} since ${isoTime(key.since)}, ${spanText(at - key.published_at)} old`,
    `  ${nextText(key)}${key.next === 'retires' && key.forgotten_at !== undefined ? `, and is forgotten at ${isoTime(key.forgotten_at)}` : ''}`,
  ].join('\n')

const foreignKeyText = ({ kid, alg, published_at }: ForeignKeyDescription, at: number): string =>
  [
    printable(kid),
    `  ${printable(alg)} (sig) of another signer, published since ${isoTime(published_at)}, ${spanText(at - published_at)} ago`,
    '  stays until clientele keys remove',
  ].join('\n')

export const keyListText = ({ keys, foreign = [] }: KeyList, at: number): string =>
  [...keys.map((key) => keyText(key, at)), ...foreign.map((key) => foreignKeyText(key, at))].join('\n')

/** The keys of other signers in the set. */
export const foreignListText = ({ foreign = [] }: KeyList, at: number): string =>
  foreign.length === 0
    ? 'The set holds no key of another signer'
    : foreign.map((key) => foreignKeyText(key, at)).join('\n')

// Only the current encryption key is published; the previous one still decrypts.
const leavingText = ({ kid, use, next_at, forgotten_at }: KeyDescription): string => {
  const until = forgotten_at === undefined ? '' : isoTime(forgotten_at)
  return use === 'enc'
    ? `  ${printable(kid)} is published until then, and still reads until ${until}`
    : `  ${printable(kid)} retires at ${isoTime(next_at)}, and leaves at ${until}`
}

const comingText = ({ kid, alg, use, next_at }: KeyDescription): string =>
  `${printable(alg)}\n  ${printable(kid)} is ${use === 'enc' ? 'made now, and is published' : 'published now, and signs'} at ${isoTime(next_at)}`

/** The schedule of a roll-over, for each ring. */
export const timelineText = ({ keys }: KeyList): string =>
  keys
    .filter(({ phase }) => phase === 'announced' || phase === 'signing')
    .map((key) => (key.phase === 'signing' ? leavingText(key) : comingText(key)))
    .join('\n')

const breaks = (kid: string, use: KeyDescription['use'], phase: RevokedKeyList['phase']): ReadonlyArray<string> => {
  if (phase === 'announced') return [`${kid} was announced and did nothing yet: nothing breaks.`]
  if (use === 'enc') return [`What was encrypted to ${kid} cannot be read any more; its senders must encrypt it anew.`]
  if (phase === 'retired') return [`Tokens that ${kid} signed do not verify any more, although they have not expired.`]
  return [
    `Tokens that ${kid} signed do not verify any more: users sign in again.`,
    'Verifiers that keep the set from before go on accepting them until they fetch it anew, at most jwks-max-age seconds.',
  ]
}

const succeeds = ({ keys, phase }: RevokedKeyList): ReadonlyArray<string> => {
  const successor = keys.find((key) => key.phase === 'signing')
  if (phase !== 'signing' || successor === undefined || successor.use === 'enc') return []
  return successor.published_at === successor.since
    ? [
        'A new key signs at once: verifiers that keep the set from before refuse its tokens until they fetch it anew,',
        'at most jwks-max-age seconds.',
      ]
    : [`${printable(successor.kid)} signs at once: it was announced, so that verifiers may have it already.`]
}

/** The consequences of a key's revocation, and its successor. */
export const revocationText = (kid: string, outcome: RevokedKeyList): string =>
  [...breaks(printable(kid), outcome.keys[0]?.use ?? 'sig', outcome.phase), ...succeeds(outcome)].join('\n')
