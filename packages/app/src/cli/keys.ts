// clientele keys …: key management by operators.
import { epochSeconds } from '@clientele/domain/kernel'
import { ForeignKeyDescription, KeyDescription } from '@clientele/domain/keys'
import type { KeyList, RevokedKeyList } from '@clientele/domain/operations'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { readKeySetFile, readPublicKeySetFile } from '../data/given-files.js'
import { operate } from './manage.js'
import { isoTime, printable, printableDocument } from '../text.js'
import { type Command, type Invocation, agreed, answering, asking, json, lines, listed } from './command.js'

const KeyListAnswer = t.intersection([
  t.type({ keys: t.readonlyArray(KeyDescription) }),
  t.partial({ foreign: t.readonlyArray(ForeignKeyDescription) }),
])
const CompromisedAnswer = t.intersection([
  KeyListAnswer,
  t.type({
    phase: t.keyof({ announced: null, signing: null, published: null, retired: null }),
    consequences: t.readonlyArray(t.string),
  }),
])

export const listKeys = (config: Config): TE.TaskEither<string, KeyList> =>
  operate(config, { path: '/keys', codec: KeyListAnswer })

const isDryRun = ({ switches }: Invocation): boolean => switches.includes('dry-run')

const dryRunQuery = (invocation: Invocation): string => (isDryRun(invocation) ? '?dry_run=true' : '')

const revokeKey = (config: Config, kid: string, query: string): TE.TaskEither<string, RevokedKeyList> =>
  operate(config, { path: `/keys/compromise${query}`, body: { kid }, codec: CompromisedAnswer })

const day = 86_400
const units: ReadonlyArray<readonly [number, string]> = [
  [day, 'd'],
  [3600, 'h'],
  [60, 'min'],
]

/** A span of seconds in its two greatest units. */
const spanText = (seconds: number): string => {
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

const ageText = (since: number): string => spanText(epochSeconds(Date.now()) - since)

const keyText = (key: KeyDescription): string => {
  const { kid, alg, use, phase, since, next, next_at, forgotten_at, published_at } = key
  const end = next === 'retires' && forgotten_at !== undefined ? `, and is forgotten at ${isoTime(forgotten_at)}` : ''
  return lines(
    printable(kid),
    `  ${printable(alg)} (${use}), ${phase} since ${isoTime(since)}, ${ageText(Math.min(since, published_at))} old`,
    `  ${next} at ${isoTime(next_at)}${end}`,
  )
}

const foreignKeyText = (key: ForeignKeyDescription): string =>
  lines(
    printable(key.kid),
    `  ${printable(key.alg)} (sig) of another signer, published since ${isoTime(key.published_at)}, ${ageText(key.published_at)} ago`,
    '  stays until clientele keys remove',
  )

const listText = ({ keys, foreign = [] }: KeyList): string => lines(keys.map(keyText), foreign.map(foreignKeyText))

/** The keys of other signers in the set. */
const foreignListText = ({ foreign = [] }: KeyList): string =>
  listed(foreign, foreignKeyText, 'The set holds no key of another signer')

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
const timelineText = ({ keys }: KeyList): string =>
  keys
    .filter(({ phase }) => phase !== 'retired')
    .map((key) => (key.phase === 'announced' ? comingText(key) : leavingText(key)))
    .join('\n')

const consequencesText = ({ consequences }: RevokedKeyList): string => lines(consequences.map(printable))

const dryRun = { name: 'dry-run', description: 'say what would happen, and do nothing' }
const kid = { name: 'KID', description: 'the id that clientele keys list shows' }

export const keyCommands: ReadonlyArray<Command> = [
  {
    name: 'keys list',
    summary: 'show every key: its phase and since when it has it, its age, and what comes next',
    options: [json],
    example: 'clientele keys list',
    run: answering(listKeys, listText),
  },
  {
    name: 'keys roll-over',
    summary: 'announce a successor for every key, or for one, and say what happens when',
    operand: { name: 'ALG', description: 'the algorithm of the key, such as RS256', optional: true },
    options: [dryRun, json],
    example: 'clientele keys roll-over RS256 --dry-run',
    run: asking(
      (invocation) => ({
        path: `/keys/roll-over${dryRunQuery(invocation)}`,
        body: { alg: invocation.operand },
        codec: KeyListAnswer,
      }),
      (list, invocation) =>
        lines(isDryRun(invocation) && 'Nothing was done. It would be, with other keys:', timelineText(list)),
    ),
  },
  {
    name: 'keys compromise',
    summary: 'remove a key from the key set at once, because it leaked; asks first, and says what breaks',
    operand: kid,
    options: [{ name: 'yes', description: 'do not ask' }, json],
    example: 'clientele keys compromise IbOTgL6Sk0lpQDvSDRdKtDrYB4HfyqINuE0q9XIDcls',
    run: answering((config, invocation, terminal) => {
      const { operand = '' } = invocation
      const consequences = pipe(revokeKey(config, operand, '?dry_run=true'), TE.map(consequencesText))
      return pipe(
        agreed(terminal, invocation, consequences, 'Take the key out now?'),
        TE.flatMap(() => revokeKey(config, operand, '')),
      )
    }, consequencesText),
  },
  {
    name: 'keys import',
    summary: 'add the private keys of another server: all keys of a file, or none',
    details:
      'With --foreign, the file has the public keys of another signer: the service publishes them, and never signs with them.',
    operand: { name: 'FILE', description: 'a JSON Web Key set (RFC 7517)' },
    options: [{ name: 'foreign', description: 'the keys are those of another signer' }, dryRun, json],
    example: 'clientele keys import provider-keys.json --foreign --dry-run',
    run: answering(
      (config, invocation) => {
        const { operand = '', switches } = invocation
        const isForeign = switches.includes('foreign')
        const path = `/keys/${isForeign ? 'foreign' : 'import'}${dryRunQuery(invocation)}`
        return pipe(
          TE.fromEither(isForeign ? readPublicKeySetFile(operand) : readKeySetFile(operand)),
          TE.flatMap((body) => operate(config, { path, body, codec: KeyListAnswer })),
        )
      },
      (list, invocation) =>
        lines(
          isDryRun(invocation) && 'Nothing was done. These would be the keys:',
          invocation.switches.includes('foreign') ? foreignListText(list) : listText(list),
        ),
    ),
  },
  {
    name: 'keys export',
    summary: 'print the key set as verifiers get it',
    options: [
      { name: 'public', description: 'required, because private keys are never printed', required: true },
      json,
    ],
    example: 'clientele keys export --public',
    run: asking(
      () => ({
        path: '/jwks.json',
        codec: t.type({ keys: t.readonlyArray(t.UnknownRecord) }),
        keys: 'published',
      }),
      printableDocument,
    ),
  },
  {
    name: 'keys remove',
    summary: 'remove a key of another signer from the key set',
    operand: kid,
    options: [json],
    example: 'clientele keys remove provider-2026-11',
    run: asking(
      ({ operand }) => ({ path: '/keys/foreign/remove', body: { kid: operand }, codec: KeyListAnswer }),
      foreignListText,
    ),
  },
  {
    name: 'keys create',
    summary: 'make the keys that are missing, if the store has lost them for good',
    options: [json],
    example: 'clientele keys create',
    // A running service has them already.
    run: answering(
      (config) =>
        pipe(
          listKeys(config),
          TE.bindTo('before'),
          TE.bind('after', () => operate(config, { path: '/keys', codec: KeyListAnswer, keys: 'made' })),
          TE.map(({ before, after }) => {
            const known = new Set(before.keys.map(({ kid }) => kid))
            return { ...after, made: after.keys.filter((key) => !known.has(key.kid)).length }
          }),
        ),
      (list) => lines(list.made === 0 && 'No key was missing, and none was made. The keys are:', listText(list)),
    ),
  },
]
