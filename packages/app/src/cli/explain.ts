import type { Explanation, RegistrationScope } from '@clientele/domain'
import { explainRegistration, parseRegistrationScope } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Config } from '../config/settings.js'
import { baseUrlAt, registrationSettings } from '../http-settings.js'
import type { Hypothesis } from '../hypothetical-facts.js'
import { hypotheticalFacts } from '../hypothetical-facts.js'
import { printableDocument } from '../printable.js'
import { readRegistrationBody } from '../read-registration-body.js'
import { explanationText, statusOf } from './explanation-text.js'
import { refuse } from './refuse.js'
import type { ExitStatus, Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

const scopeOf = (given: string | undefined): E.Either<string, O.Option<RegistrationScope>> =>
  given === undefined
    ? E.right(O.none)
    : pipe(
        parseRegistrationScope(given),
        E.map(O.some),
        E.mapLeft(({ error_description }) => `--${error_description}`),
      )

const explained = async (config: Config, hypothesis: Hypothesis): Promise<Explanation> => {
  const settings = registrationSettings(config, baseUrlAt(config, config.port))
  return explainRegistration(settings)(await hypotheticalFacts(config, settings)(hypothesis)())
}

const show = ({ output }: Terminal, explanation: Explanation, registered: number, json: boolean): ExitStatus => {
  const decision = { registered: explanation.refusal === undefined, status: statusOf(explanation, registered) }
  output.write(`${json ? printableDocument({ ...decision, ...explanation }) : explanationText(explanation)}\n`)
  return decision.registered ? 0 : 1
}

/** Says how POST /clients would decide, and why; starts and creates nothing, and reaches out to nobody. */
export const explain = withSettings(async ({ config }, terminal, { flags, switches }) => {
  const path = flags['metadata']
  if (path === undefined) return refuse(terminal, 'explain needs --metadata FILE, the body of a registration', 2)
  const scope = scopeOf(flags['scope'])
  if (E.isLeft(scope)) return refuse(terminal, scope.left, 2)
  const body = readRegistrationBody(path)
  if (E.isLeft(body)) return refuse(terminal, body.left, 1)
  const open = config['allow-open-registration'] || switches.includes('open')
  const explanation = await explained(
    { ...config, 'allow-open-registration': open },
    { scope: scope.right, body: body.right },
  )
  return show(terminal, explanation, config['registration-status'], switches.includes('json'))
})
