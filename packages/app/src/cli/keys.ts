// clientele keys …: what operators do with the keys.
import type { CompromisedKeyList, KeyList } from '@clientele/domain'
import { epochSeconds } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Config } from '../config/settings.js'
import { compromiseKey, exportKeys, importKeys, listKeys, rollOverKeys } from '../operate-keys.js'
import { printableDocument } from '../printable.js'
import { readKeySetFile } from '../read-key-set-file.js'
import { compromiseText, keyListText, timelineText } from './keys-text.js'
import { refuse } from './refuse.js'
import { show } from './show.js'
import type { Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

const asJson = (answer: object): string => printableDocument(answer)
const listText = (list: KeyList): string => keyListText(list, epochSeconds(Date.now()))

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

/** Takes the private keys of another server, all of the file or none. */
export const keysImport = withSettings(async ({ config }, terminal, { operand = '', switches }) => {
  const keySet = readKeySetFile(operand)
  if (E.isLeft(keySet)) return refuse(terminal, keySet.left, 1)
  const dryRun = switches.includes('dry-run')
  const text = (list: KeyList): string =>
    dryRun ? `Nothing was done. These would be the keys:\n${listText(list)}` : listText(list)
  return show(terminal, importKeys(config, keySet.right, dryRun), switches.includes('json') ? asJson : text)
})

/** Prints the set as verifiers get it; private keys are never printed. */
export const keysExport = withSettings(({ config }, terminal, { switches }) =>
  switches.includes('public')
    ? show(terminal, exportKeys(config), asJson)
    : refuse(terminal, 'keys export needs --public: private keys are never printed', 2),
)
