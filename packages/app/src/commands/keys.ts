// clientele keys …: key management by operators.
import { ForeignKeyDescription, KeyDescription } from '@clientele/domain/keys'
import type { KeyList, RevokedKeyList } from '@clientele/domain/operations'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { operate } from '../manage/manage.js'
import { printable, printableDocument, isoTime } from '../text.js'
import { epochSeconds } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { readKeySetFile, readPublicKeySetFile } from '../data/given-files.js'
import { json, type Command } from './command.js'
import { refuse, show } from './show.js'
import type { Terminal } from './terminal.js'
import { answering, withSettings } from './with-settings.js'

type Done<A> = TE.TaskEither<string, A>

const KeyListAnswer = t.intersection([
  t.type({ keys: t.readonlyArray(KeyDescription) }),
  t.partial({ foreign: t.readonlyArray(ForeignKeyDescription) }),
])
const CompromisedAnswer = t.intersection([
  KeyListAnswer,
  t.type({ phase: t.keyof({ announced: null, signing: null, retired: null }) }),
])
const JwkSetAnswer = t.type({ keys: t.readonlyArray(t.UnknownRecord) })

const dryRunQuery = (dryRun: boolean): string => (dryRun ? '?dry_run=true' : '')

export const listKeys = (config: Config): Done<KeyList> =>
  operate(config, {
    path: '/keys',
    codec: KeyListAnswer,
  })

const rollOverKeys = (config: Config, alg: string | undefined, dryRun: boolean): Done<KeyList> => {
  const named = alg === undefined ? {} : { alg }
  return operate(config, {
    path: `/keys/roll-over${dryRunQuery(dryRun)}`,
    body: named,
    codec: KeyListAnswer,
  })
}

const revokeKey = (config: Config, kid: string, dryRun: boolean): Done<RevokedKeyList> =>
  operate(config, {
    path: `/keys/compromise${dryRunQuery(dryRun)}`,
    body: { kid },
    codec: CompromisedAnswer,
  })

const importKeys = (config: Config, keySet: object, dryRun: boolean): Done<KeyList> =>
  operate(config, {
    path: `/keys/import${dryRunQuery(dryRun)}`,
    body: keySet,
    codec: KeyListAnswer,
  })

/** Publishes the public keys of another signer, all of them or none. */
const importForeignKeys = (config: Config, keySet: object, dryRun: boolean): Done<KeyList> =>
  operate(config, {
    path: `/keys/foreign${dryRunQuery(dryRun)}`,
    body: keySet,
    codec: KeyListAnswer,
  })

/** Removes a key of another signer from the set. */
const removeForeignKey = (config: Config, kid: string): Done<KeyList> =>
  operate(config, {
    path: '/keys/foreign/remove',
    body: { kid },
    codec: KeyListAnswer,
  })

/** Makes missing keys, as the first start does; a running service has them already. */
const createKeys = (config: Config): Done<KeyList> =>
  operate(config, { path: '/keys', codec: KeyListAnswer, keys: 'made' })

/** The set as verifiers receive it. */
const exportKeys = (config: Config): Done<t.TypeOf<typeof JwkSetAnswer>> =>
  operate(config, {
    path: '/jwks.json',
    codec: JwkSetAnswer,
    keys: 'published',
  })

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

const keyListText = ({ keys, foreign = [] }: KeyList, at: number): string =>
  [...keys.map((key) => keyText(key, at)), ...foreign.map((key) => foreignKeyText(key, at))].join('\n')

/** The keys of other signers in the set. */
const foreignListText = ({ foreign = [] }: KeyList, at: number): string =>
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
const timelineText = ({ keys }: KeyList): string =>
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
const revocationText = (kid: string, outcome: RevokedKeyList): string =>
  [...breaks(printable(kid), outcome.keys[0]?.use ?? 'sig', outcome.phase), ...succeeds(outcome)].join('\n')

const asJson = (answer: object): string => printableDocument(answer)
const now = () => epochSeconds(Date.now())
const listText = (list: KeyList): string => keyListText(list, now())

const keysList = answering(listKeys, listText)

const keysRollOver = withSettings(({ config }, terminal, { operand, switches }) => {
  const dryRun = switches.includes('dry-run')
  const timeline = (list: KeyList): string =>
    dryRun ? `Nothing was done. It would be, with other keys:\n${timelineText(list)}` : timelineText(list)
  return show(terminal, rollOverKeys(config, operand, dryRun), switches.includes('json') ? asJson : timeline)
})

const isConfirmed = async (terminal: Terminal, config: Config, kid: string): Promise<E.Either<string, boolean>> => {
  const outcome = await revokeKey(config, kid, true)()
  if (E.isLeft(outcome)) return outcome
  terminal.errors.write(`${revocationText(kid, outcome.right)}\n`)
  return E.right((await terminal.ask('Take the key out now? Type yes: ')).trim() === 'yes')
}

const keysCompromise = withSettings(async ({ config }, terminal, { operand = '', switches }) => {
  if (!switches.includes('yes')) {
    const confirmed = await isConfirmed(terminal, config, operand)
    if (E.isLeft(confirmed)) return refuse(terminal, confirmed.left, 1)
    if (!confirmed.right) return refuse(terminal, 'nothing was done', 1)
  }
  const text = (outcome: RevokedKeyList): string => revocationText(operand, outcome)
  return show(terminal, revokeKey(config, operand, false), switches.includes('json') ? asJson : text)
})

const keysImport = withSettings(async ({ config }, terminal, { operand = '', switches }) => {
  const isForeign = switches.includes('foreign')
  const keySet = isForeign ? readPublicKeySetFile(operand) : readKeySetFile(operand)
  if (E.isLeft(keySet)) return refuse(terminal, keySet.left, 1)
  const dryRun = switches.includes('dry-run')
  const [take, listed] = isForeign ? [importForeignKeys, foreignListText] : [importKeys, keyListText]
  const text = (list: KeyList): string =>
    dryRun ? `Nothing was done. These would be the keys:\n${listed(list, now())}` : listed(list, now())
  return show(terminal, take(config, keySet.right, dryRun), switches.includes('json') ? asJson : text)
})

const keysRemove = answering(
  (config, { operand = '' }) => removeForeignKey(config, operand),
  (list) => foreignListText(list, now()),
)

const keysCreate = answering(createKeys, listText)

const keysExport = withSettings(({ config }, terminal) => show(terminal, exportKeys(config), asJson))

const dryRun = { name: 'dry-run', description: 'say what would happen, and do nothing' }
const kid = { name: 'KID', description: 'the id that clientele keys list shows' }

export const keyCommands: ReadonlyArray<Command> = [
  {
    name: 'keys list',
    summary: 'show every key: its phase, since when, its age, and what comes next',
    options: [json],
    example: 'clientele keys list',
    run: keysList,
  },
  {
    name: 'keys roll-over',
    summary: 'announce a successor for every key, or for one, and say what happens when',
    operand: { name: 'ALG', description: 'the algorithm of the key, such as RS256', optional: true },
    options: [dryRun, json],
    example: 'clientele keys roll-over RS256 --dry-run',
    run: keysRollOver,
  },
  {
    name: 'keys compromise',
    summary: 'take a key out of the set now; asks before, and says what breaks',
    operand: kid,
    options: [{ name: 'yes', description: 'do not ask' }, json],
    example: 'clientele keys compromise IbOTgL6Sk0lpQDvSDRdKtDrYB4HfyqINuE0q9XIDcls',
    run: keysCompromise,
  },
  {
    name: 'keys import',
    summary: 'take the private keys of another server: all of a file, or none',
    details: 'With --foreign the public keys of another signer are published, and never sign here.',
    operand: { name: 'FILE', description: 'a JSON Web Key set (RFC 7517)' },
    options: [{ name: 'foreign', description: 'the keys are those of another signer' }, dryRun, json],
    example: 'clientele keys import provider-keys.json --foreign --dry-run',
    run: keysImport,
  },
  {
    name: 'keys export',
    summary: 'print the key set as verifiers get it',
    options: [{ name: 'public', description: 'because private keys are never printed', required: true }, json],
    example: 'clientele keys export --public',
    run: keysExport,
  },
  {
    name: 'keys remove',
    summary: 'take a key of another signer out of the set',
    operand: kid,
    options: [json],
    example: 'clientele keys remove provider-2026-11',
    run: keysRemove,
  },
  {
    name: 'keys create',
    summary: 'make the keys that are missing, where a store has lost them for good',
    options: [json],
    example: 'clientele keys create',
    run: keysCreate,
  },
]
