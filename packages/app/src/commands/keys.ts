// clientele keys …: what operators do with the keys.
import type { CompromisedKeyList, KeyList } from '@clientele/domain'
import { epochSeconds } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Config } from '../config/settings.js'
import {
  compromiseKey,
  createKeys,
  exportKeys,
  importForeignKeys,
  importKeys,
  listKeys,
  removeForeignKey,
  rollOverKeys,
} from '../operating/operate-keys.js'
import { printableDocument } from '../observing/printable.js'
import { readKeySetFile, readPublicKeySetFile } from './read-key-set-file.js'
import { compromiseText, foreignListText, keyListText, timelineText } from './keys-text.js'
import { refuse } from './refuse.js'
import { show } from './show.js'
import type { Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

const asJson = (answer: object): string => printableDocument(answer)
const now = () => epochSeconds(Date.now())
const listText = (list: KeyList): string => keyListText(list, now())

/** Every key with its phase, its age and what comes next; changes nothing. */
export const keysList = withSettings(({ config }, terminal, { switches }) =>
  show(terminal, listKeys(config), switches.includes('json') ? asJson : listText),
)

/** Announces a successor for every ring, or for one, and prints what happens when. */
export const keysRollOver = withSettings(({ config }, terminal, { operand, switches }) => {
  const dryRun = switches.includes('dry-run')
  const timeline = (list: KeyList): string =>
    dryRun ? `Nothing was done. It would be, with other keys:\n${timelineText(list)}` : timelineText(list)
  return show(terminal, rollOverKeys(config, operand, dryRun), switches.includes('json') ? asJson : timeline)
})

const isConfirmed = async (terminal: Terminal, config: Config, kid: string): Promise<E.Either<string, boolean>> => {
  const outcome = await compromiseKey(config, kid, true)()
  if (E.isLeft(outcome)) return outcome
  terminal.errors.write(`${compromiseText(kid, outcome.right)}\n`)
  return E.right((await terminal.ask('Take the key out now? Type yes: ')).trim() === 'yes')
}

/** Takes a key out of the set now; asks before, and says what breaks. */
export const keysCompromise = withSettings(async ({ config }, terminal, { operand = '', switches }) => {
  if (!switches.includes('yes')) {
    const confirmed = await isConfirmed(terminal, config, operand)
    if (E.isLeft(confirmed)) return refuse(terminal, confirmed.left, 1)
    if (!confirmed.right) return refuse(terminal, 'nothing was done', 1)
  }
  const text = (outcome: CompromisedKeyList): string => compromiseText(operand, outcome)
  return show(terminal, compromiseKey(config, operand, false), switches.includes('json') ? asJson : text)
})

/** Takes the private keys of another server, or publishes the keys of another signer: all of the file, or none. */
export const keysImport = withSettings(async ({ config }, terminal, { operand = '', switches }) => {
  const isForeign = switches.includes('foreign')
  const keySet = isForeign ? readPublicKeySetFile(operand) : readKeySetFile(operand)
  if (E.isLeft(keySet)) return refuse(terminal, keySet.left, 1)
  const dryRun = switches.includes('dry-run')
  const [take, listed] = isForeign ? [importForeignKeys, foreignListText] : [importKeys, keyListText]
  const text = (list: KeyList): string =>
    dryRun ? `Nothing was done. These would be the keys:\n${listed(list, now())}` : listed(list, now())
  return show(terminal, take(config, keySet.right, dryRun), switches.includes('json') ? asJson : text)
})

/** Takes a key of another signer out of the set, and prints those that stay. */
export const keysRemove = withSettings(({ config }, terminal, { operand = '', switches }) =>
  show(
    terminal,
    removeForeignKey(config, operand),
    switches.includes('json') ? asJson : (list) => foreignListText(list, now()),
  ),
)

/** Makes the keys that are missing, where a store has lost them for good. */
export const keysCreate = withSettings(({ config }, terminal, { switches }) =>
  show(terminal, createKeys(config), switches.includes('json') ? asJson : listText),
)

/** Prints the set as verifiers get it; private keys are never printed. */
export const keysExport = withSettings(({ config }, terminal, { switches }) =>
  switches.includes('public')
    ? show(terminal, exportKeys(config), asJson)
    : refuse(terminal, 'keys export needs --public: private keys are never printed', 2),
)
