// clientele explain URL: the one request that it sends is the operator's wish.
import { type ClientIdUrl, clientIdUrl } from '@clientele/domain/client'
import { type Explanation, explainRegistration } from '@clientele/domain/operations'
import { sameRegistration } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { refuse, type ExitStatus, type Terminal } from '../cli/command.js'
import type { Config } from '../config/settings.js'
import { printable, printableDocument } from '../observing/printable.js'
import { type Sight, seeDocumentOnce } from './see-document.js'
import { baseUrlAt, registrationSettings } from '../wiring/http-settings.js'
import { type DocumentExplanation, explainInvalidUrl, explainSight } from './document-explanation.js'
import { documentOfFile } from './document-of-file.js'
import { documentText } from './document-text.js'
import { hypotheticalFacts } from './hypothetical-facts.js'
import { readRegistrationBody } from '../data/read-registration-body.js'

/** Where the document is, and the options of the command. */
export type RequestedDocument = {
  readonly url: string
  /** Judged in place of what the URL shows. */
  readonly file: string | undefined
  readonly asJson: boolean
}

const registrationOf = async (config: Config, { seen }: Sight): Promise<Explanation | undefined> => {
  const body = seen.kind === 'unreachable' ? undefined : sameRegistration(seen.body)
  if (body === undefined) return undefined
  const settings = registrationSettings(config, baseUrlAt(config, config.port))
  const facts = await hypotheticalFacts(config, settings)({ scope: O.none, body: E.right(body) })()
  return explainRegistration(settings)(facts)
}

const explained = async (config: Config, url: ClientIdUrl, sight: Sight): Promise<DocumentExplanation> =>
  explainSight(
    registrationSettings(config, baseUrlAt(config, config.port)),
    url,
    sight,
    await registrationOf(config, sight),
  )

const print = ({ output }: Terminal, explanation: DocumentExplanation, asJson: boolean): ExitStatus => {
  output.write(`${asJson ? printableDocument(explanation) : documentText(explanation)}\n`)
  return explanation.accepted ? 0 : 1
}

export const explainUrl = async (
  config: Config,
  terminal: Terminal,
  { url, file, asJson }: RequestedDocument,
): Promise<ExitStatus> => {
  const read = clientIdUrl(url)
  if (read.kind === 'opaque')
    return refuse(terminal, `${printable(url)} is not the URL of a document: it must begin with https://`, 2)
  if (read.kind === 'faulty') return print(terminal, explainInvalidUrl(url, read.faults), asJson)
  if (file === undefined)
    return print(terminal, await explained(config, read.url, await seeDocumentOnce(config, read.url)()), asJson)
  const body = readRegistrationBody(file, 'document')
  if (E.isLeft(body)) return refuse(terminal, body.left, 1)
  return print(terminal, await explained(config, read.url, await documentOfFile(config, body.right)()), asJson)
}
