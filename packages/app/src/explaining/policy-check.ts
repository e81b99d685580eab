import * as E from 'fp-ts/lib/Either.js'
import { readFile } from '../config/values/read-file.js'
import type { PolicyFile } from '../config/values/registration-policy.js'
import { readPolicyFile } from '../config/values/registration-policy.js'
import type { Config } from '../config/settings.js'
import { judgeClients } from '../operating/judge-clients.js'
import { printable } from '../observing/printable.js'
import { policyReport } from './policy-report.js'
import { refuse } from '../commands/refuse.js'
import type { ExitStatus, Terminal } from '../commands/terminal.js'
import { withSettings } from '../commands/with-settings.js'

const faulty = (terminal: Terminal, path: string, faults: ReadonlyArray<string>, json: boolean): ExitStatus => {
  if (json) terminal.output.write(`${JSON.stringify({ valid: false, faults: faults.map(printable) }, null, 2)}\n`)
  else terminal.errors.write(faults.map((fault) => printable(`${path}: ${fault}`) + '\n').join(''))
  return 1
}

const judged = async (config: Config, file: PolicyFile, terminal: Terminal, json: boolean): Promise<ExitStatus> => {
  const report = policyReport(terminal.output, file.policy, json)
  const tally = await judgeClients(config, file, report.falling)()
  if (E.isLeft(tally)) return refuse(terminal, `the policy is valid, but not every client was judged: ${tally.left}`, 1)
  report.end(tally.right)
  return tally.right.falling > 0 ? 1 : 0
}

/** Says what is wrong with a proposed policy, and which of the stored clients would fall under it; changes nothing. */
export const policyCheck = withSettings(async ({ config }, terminal, { operand: path = '', switches }) => {
  const json = switches.includes('json')
  const file = readPolicyFile(readFile)(path)
  return E.isLeft(file) ? faulty(terminal, path, file.left, json) : judged(config, file.right, terminal, json)
})
