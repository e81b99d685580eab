import {
  type Explanation,
  type RegistrationScope,
  explainRegistration,
  parseRegistrationScope,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Config } from '../config/settings.js'
import { baseUrlAt, registrationSettings } from '../wiring/http-settings.js'
import { type Hypothesis, hypotheticalFacts } from './hypothetical-facts.js'
import { printableDocument } from '../observing/printable.js'
import { readRegistrationBody } from './read-registration-body.js'
import { explanationText, statusOf } from './explanation-text.js'
import { json, type Command } from '../commands/command.js'
import { scopeFault } from '../commands/scope-fault.js'
import { refuse } from '../commands/show.js'
import type { ExitStatus, Terminal } from '../commands/terminal.js'
import { withSettings } from '../commands/with-settings.js'

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
const explain = withSettings(async ({ config }, terminal, { flags, switches }) => {
  const path = flags['metadata'] ?? ''
  const fault = scopeFault(flags['scope'])
  if (fault !== undefined) return refuse(terminal, fault, 2)
  const body = readRegistrationBody(path)
  if (E.isLeft(body)) return refuse(terminal, body.left, 1)
  reportUnread(terminal, path, body.right)
  const open = config['allow-open-registration'] || switches.includes('open')
  const explanation = await explained(
    { ...config, 'allow-open-registration': open },
    { scope: scopeOf(flags['scope']), body: body.right },
  )
  return print(terminal, explanation, config['registration-status'], switches.includes('json'))
})

export const explainCommand: Command = {
  name: 'explain',
  summary: 'say how the registration of a body would be decided, and why; registers nothing',
  options: [
    { name: 'metadata', value: 'FILE', description: 'the body; - is the standard input', required: true },
    { name: 'scope', value: 'SCOPE', description: 'the scope of the initial access token that would be presented' },
    { name: 'open', description: 'as if allow-open-registration were true' },
    json,
  ],
  example: 'clientele explain --metadata metadata.json --scope client-reg:grant:code',
  run: explain,
}
