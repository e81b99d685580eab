import type { RegistrationPolicy } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { readFile } from '../config/read-file.js'
import { readRegistrationPolicy } from '../config/registration-policy.js'
import type { Config } from '../config/settings.js'
import { abilities } from '../http-settings.js'
import { judgeClients } from '../judge-clients.js'
import { printable } from '../printable.js'
import { policyReport } from './policy-report.js'
import { refuse } from './refuse.js'
import type { ExitStatus, Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

const faulty = (terminal: Terminal, path: string, faults: ReadonlyArray<string>, json: boolean): ExitStatus => {
  if (json) terminal.output.write(`${JSON.stringify({ valid: false, faults: faults.map(printable) }, null, 2)}\n`)
  else terminal.errors.write(faults.map((fault) => printable(`${path}: ${fault}`) + '\n').join(''))
  return 1
}

const judged = async (
  config: Config,
  policy: RegistrationPolicy,
  terminal: Terminal,
  json: boolean,
): Promise<ExitStatus> => {
  const report = policyReport(terminal.output, policy, json)
  const settings = { policy, outboundFetches: config['outbound-fetches'], abilities: abilities(config) }
  const tally = await judgeClients(config, settings, report.falling)()
  if (E.isLeft(tally)) return refuse(terminal, `the policy is valid, but not every client was judged: ${tally.left}`, 1)
  report.end(tally.right)
  return tally.right.falling > 0 ? 1 : 0
}

/** Says what is wrong with a proposed policy, and which of the stored clients would fall under it; changes nothing. */
export const policyCheck = withSettings(async ({ config }, terminal, { operand: path = '', switches }) => {
  const json = switches.includes('json')
  const policy = readRegistrationPolicy(readFile)(path)
  return E.isLeft(policy) ? faulty(terminal, path, policy.left, json) : judged(config, policy.right, terminal, json)
})
