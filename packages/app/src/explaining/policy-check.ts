import * as E from 'fp-ts/lib/Either.js'
import { readFile } from '../config/values/read-file.js'
import { type PolicyFile, readPolicyFile } from '../config/values/registration-policy.js'
import type { Config } from '../config/settings.js'
import { judgeClients } from '../operating/judge-clients.js'
import { printable } from '../observing/printable.js'
import { policyReport } from './policy-report.js'
import { json, type Command } from '../commands/command.js'
import { refuse } from '../commands/show.js'
import type { ExitStatus, Terminal } from '../commands/terminal.js'
import { withSettings } from '../commands/with-settings.js'

const invalid = (terminal: Terminal, path: string, faults: ReadonlyArray<string>, asJson: boolean): ExitStatus => {
  if (asJson) terminal.output.write(`${JSON.stringify({ valid: false, faults: faults.map(printable) }, null, 2)}\n`)
  else terminal.errors.write(faults.map((fault) => printable(`${path}: ${fault}`) + '\n').join(''))
  return 1
}

const judged = async (config: Config, file: PolicyFile, terminal: Terminal, asJson: boolean): Promise<ExitStatus> => {
  const report = policyReport(terminal.output, file.policy, asJson)
  const summary = await judgeClients(config, file, report.non_compliant)()
  if (E.isLeft(summary))
    return refuse(terminal, `the policy is valid, but not every client was judged: ${summary.left}`, 1)
  report.end(summary.right)
  return summary.right.non_compliant > 0 ? 1 : 0
}

const policyCheck = withSettings(async ({ config }, terminal, { operand: path = '', switches }) => {
  const asJson = switches.includes('json')
  const file = readPolicyFile(readFile)(path)
  return E.isLeft(file) ? invalid(terminal, path, file.left, asJson) : judged(config, file.right, terminal, asJson)
})

export const policyCheckCommand: Command = {
  name: 'policy check',
  summary: 'say what is wrong with a registration policy, and which stored clients it would refuse; changes nothing',
  operand: { name: 'FILE', description: 'the policy; docs/registration-policy.md says what it may hold' },
  options: [json],
  example: 'clientele policy check policy.json',
  run: policyCheck,
}
