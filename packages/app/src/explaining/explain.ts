import { type RegistrationScope, parseRegistrationScope } from '@clientele/domain/authorization'
import { type Explanation, explainRegistration } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Config } from '../config/settings.js'
import { baseUrlAt, registrationSettings } from '../wiring/http-settings.js'
import { type Hypothesis, hypotheticalFacts } from './hypothetical-facts.js'
import { printableDocument } from '../observing/printable.js'
import { readRegistrationBody } from '../data/read-registration-body.js'
import { explainUrl } from './explain-document.js'
import { explanationText, statusOf } from './explanation-text.js'
import {
  json,
  type Command,
  type Invocation,
  refuse,
  type ExitStatus,
  type Terminal,
  withSettings,
} from '../cli/command.js'
import { scopeFault } from '../cli/tokens.js'

const scopeOf = (given: string | undefined): O.Option<RegistrationScope> =>
  pipe(
    O.fromNullable(given),
    O.flatMap((scope) => O.fromEither(parseRegistrationScope(scope))),
  )

// A caller without a credential learns that first, and not that the body cannot be read.
const reportUnread = ({ errors }: Terminal, path: string, body: Hypothesis['body']): void => {
  if (E.isLeft(body)) errors.write(`clientele: ${path}: ${body.left.error_description}\n`)
}

const explained = async (config: Config, hypothesis: Hypothesis): Promise<Explanation> => {
  const settings = registrationSettings(config, baseUrlAt(config, config.port))
  return explainRegistration(settings)(await hypotheticalFacts(config, settings)(hypothesis)())
}

const print = ({ output }: Terminal, explanation: Explanation, registered: number, asJson: boolean): ExitStatus => {
  const decision = { registered: explanation.refusal === undefined, status: statusOf(explanation, registered) }
  output.write(`${asJson ? printableDocument({ ...decision, ...explanation }) : explanationText(explanation)}\n`)
  return decision.registered ? 0 : 1
}

// Starts and creates nothing, and sends no requests.
const explainBody = async (
  config: Config,
  terminal: Terminal,
  path: string,
  { flags, switches }: Invocation,
): Promise<ExitStatus> => {
  const fault = scopeFault(flags['scope'])
  if (fault !== undefined) return refuse(terminal, fault, 2)
  const body = readRegistrationBody(path, 'metadata')
  if (E.isLeft(body)) return refuse(terminal, body.left, 1)
  reportUnread(terminal, path, body.right)
  const explanation = await explained(config, { scope: scopeOf(flags['scope']), body: body.right })
  return print(terminal, explanation, config['registration-status'], switches.includes('json'))
}

const explain = withSettings(async ({ config }, terminal, invocation) => {
  const { operand: url, flags, switches } = invocation
  const { metadata, document, scope } = flags
  const open = { ...config, 'allow-open-registration': config['allow-open-registration'] || switches.includes('open') }
  if (url !== undefined && (metadata !== undefined || scope !== undefined))
    return refuse(terminal, '--metadata and --scope are for registrations: leave them out, or the URL', 2)
  if (url !== undefined) return explainUrl(open, terminal, { url, file: document, asJson: switches.includes('json') })
  if (document !== undefined) return refuse(terminal, '--document needs the URL under which it is published', 2)
  if (metadata === undefined) return refuse(terminal, 'give --metadata FILE, or the URL of a document', 2)
  return explainBody(open, terminal, metadata, invocation)
})

export const explainCommand: Command = {
  name: 'explain',
  summary: 'say how a registration, or the document at a URL, would be decided, and why; changes nothing',
  details:
    'With a URL, one request is sent for its document, by the rules of outbound-allowed-networks, also while ' +
    'outbound-fetches is off; with --document, none. Without a URL, no request is sent.',
  operand: { name: 'URL', description: 'the client_id of a client with a metadata document', optional: true },
  options: [
    { name: 'metadata', value: 'FILE', description: 'the body of a registration; - is the standard input' },
    { name: 'document', value: 'FILE', description: 'judged as if the URL showed it; - is the standard input' },
    { name: 'scope', value: 'SCOPE', description: 'the scope of the initial access token that would be presented' },
    { name: 'open', description: 'as if allow-open-registration were true' },
    json,
  ],
  example: 'clientele explain --metadata metadata.json --scope client-reg:grant:code',
  run: explain,
}
