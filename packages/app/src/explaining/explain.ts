// clientele explain: starts and creates nothing. The one request that it sends, for the document at a URL, is the
// operator's wish.
import { parseRegistrationScope } from '@clientele/domain/authorization'
import { clientIdUrl } from '@clientele/domain/client'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { judgedBy } from '../config/load-config.js'
import type { Config } from '../config/settings.js'
import { printable } from '../text.js'
import { readRegistrationBody } from '../data/given-files.js'
import {
  type DocumentExplanation,
  statusOf,
  documentOfFile,
  documentText,
  explainedDocument,
  explainedRegistration,
  registrationText,
  seeDocumentOnce,
} from './explanations.js'
import {
  type Command,
  type Invocation,
  type ExitStatus,
  type Terminal,
  json,
  print,
  refuse,
  withSettings,
} from '../cli/command.js'
import { scopeFault } from '../cli/tokens.js'

const explainBody = async (
  config: Config,
  terminal: Terminal,
  path: string,
  invocation: Invocation,
  judged_by: string,
): Promise<ExitStatus> => {
  const { flags } = invocation
  const fault = scopeFault(flags['scope'])
  if (fault !== undefined) return refuse(terminal, fault, 2)
  const body = readRegistrationBody(path, 'metadata')
  if (E.isLeft(body)) return refuse(terminal, body.left, 1)
  // A caller without a credential learns that first, and not that the body cannot be read.
  if (E.isLeft(body.right)) refuse(terminal, `${path}: ${body.right.left.error_description}`, 1)
  const scope = flags['scope'] === undefined ? O.none : O.fromEither(parseRegistrationScope(flags['scope']))
  const explanation = await explainedRegistration(config, scope, body.right)
  const decision = {
    registered: explanation.refusal === undefined,
    status: statusOf(explanation, config['registration-status']),
  }
  print(terminal, invocation, { ...decision, ...explanation, judged_by }, () =>
    registrationText(explanation, judged_by),
  )
  return decision.registered ? 0 : 1
}

const explainUrl = async (
  config: Config,
  terminal: Terminal,
  url: string,
  invocation: Invocation,
  judged_by: string,
): Promise<ExitStatus> => {
  const { document } = invocation.flags
  const explained = (explanation: DocumentExplanation): ExitStatus => {
    print(terminal, invocation, { ...explanation, judged_by }, () => documentText(explanation, judged_by))
    return explanation.accepted ? 0 : 1
  }
  const read = clientIdUrl(url)
  if (read.kind === 'opaque')
    return refuse(terminal, `${printable(url)} is not the URL of a document: it must begin with https://`, 2)
  if (read.kind === 'faulty') {
    const { faults } = read
    return explained({ accepted: false, client_id: url, remarks: [], faults, refusal: faults[0].description })
  }
  if (document === undefined)
    return explained(await explainedDocument(config, read.url, await seeDocumentOnce(config, read.url)))
  const body = readRegistrationBody(document, 'document')
  if (E.isLeft(body)) return refuse(terminal, body.left, 1)
  return explained(await explainedDocument(config, read.url, await documentOfFile(config, body.right)))
}

const explain = withSettings(async ({ config, resolved }, terminal, invocation) => {
  const { operand: url, flags, switches } = invocation
  const { metadata, document, scope } = flags
  const open = { ...config, 'allow-open-registration': config['allow-open-registration'] || switches.includes('open') }
  if (url !== undefined && (metadata !== undefined || scope !== undefined))
    return refuse(terminal, '--metadata and --scope are for registrations: leave them out, or the URL', 2)
  if (url !== undefined) return explainUrl(open, terminal, url, invocation, judgedBy(resolved))
  if (document !== undefined) return refuse(terminal, '--document needs the URL under which it is published', 2)
  if (metadata === undefined) return refuse(terminal, 'give --metadata FILE, or the URL of a document', 2)
  return explainBody(open, terminal, metadata, invocation, judgedBy(resolved))
})

export const explainCommand: Command = {
  name: 'explain',
  summary: 'say how the service would decide about a registration or the document at a URL, and why; changes nothing',
  details:
    'With a URL and without --document, the command requests the document once, at a public address or one in ' +
    'outbound-allowed-networks, even if outbound-fetches is false. Otherwise it sends no request.',
  operand: { name: 'URL', description: 'the client_id of a client with a metadata document', optional: true },
  options: [
    { name: 'metadata', value: 'FILE', description: 'the body of a registration; - is the standard input' },
    {
      name: 'document',
      value: 'FILE',
      description: 'a document to judge as if it were at the URL; - is the standard input',
    },
    {
      name: 'scope',
      value: 'SCOPE',
      description: 'the scope of the initial access token with which the client would register',
    },
    { name: 'open', description: 'decide as if allow-open-registration were true' },
    json,
  ],
  example: 'clientele explain --metadata metadata.json --scope client-reg:grant:code',
  run: explain,
}
