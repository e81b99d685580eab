// clientele keys …: key management by operators.
import { epochSeconds } from '@clientele/domain/kernel'
import type { KeyList, RevokedKeyList } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import type { Config } from '../config/settings.js'
import {
  revokeKey,
  createKeys,
  exportKeys,
  importForeignKeys,
  importKeys,
  listKeys,
  removeForeignKey,
  rollOverKeys,
} from '../operating/operate-keys.js'
import { printableDocument } from '../observing/printable.js'
import { readKeySetFile, readPublicKeySetFile } from '../data/read-key-set-file.js'
import { json, type Command } from './command.js'
import { revocationText, foreignListText, keyListText, timelineText } from './keys-text.js'
import { refuse, show } from './show.js'
import type { Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

const asJson = (answer: object): string => printableDocument(answer)
const now = () => epochSeconds(Date.now())
const listText = (list: KeyList): string => keyListText(list, now())

const keysList = withSettings(({ config }, terminal, { switches }) =>
  show(terminal, listKeys(config), switches.includes('json') ? asJson : listText),
)

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

const keysRemove = withSettings(({ config }, terminal, { operand = '', switches }) =>
  show(
    terminal,
    removeForeignKey(config, operand),
    switches.includes('json') ? asJson : (list) => foreignListText(list, now()),
  ),
)

const keysCreate = withSettings(({ config }, terminal, { switches }) =>
  show(terminal, createKeys(config), switches.includes('json') ? asJson : listText),
)

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
