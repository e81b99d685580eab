import * as E from 'fp-ts/lib/Either.js'
import { readFile } from '../config/values/read-file.js'
import { type PolicyFile, readPolicyFile } from '../config/values/registration-policy.js'
import type { Config } from '../config/settings.js'
import { judgeClients, type ReportOptions, policyReport } from './policy-report.js'
import { printable } from '../observing/printable.js'
import { progressOn } from '../importing/progress.js'
import {
  json,
  type Command,
  type CommandOption,
  refuse,
  type ExitStatus,
  type Terminal,
  withSettings,
} from '../cli/command.js'

const invalid = (terminal: Terminal, path: string, faults: ReadonlyArray<string>, asJson: boolean): ExitStatus => {
  if (asJson) terminal.output.write(`${JSON.stringify({ valid: false, faults: faults.map(printable) }, null, 2)}\n`)
  else terminal.errors.write(faults.map((fault) => printable(`${path}: ${fault}`) + '\n').join(''))
  return 1
}

const defaultLimit = 20
const maxLimit = 10_000

const limitOf = (given: string | undefined): number | undefined => {
  if (given === undefined) return defaultLimit
  const limit = /^\d{1,5}$/.test(given) ? Number(given) : Infinity
  return limit <= maxLimit ? limit : undefined
}

const judged = async (
  config: Config,
  file: PolicyFile,
  terminal: Terminal,
  options: ReportOptions,
): Promise<ExitStatus> => {
  const report = policyReport(terminal.output, file.policy, options)
  const progress = progressOn(terminal.errors)
  const summary = await judgeClients(config, file, { ...report, judged: () => progress.advance('Judging') })()
  progress.end()
  if (E.isLeft(summary))
    return refuse(terminal, `the policy is valid, but not every client was judged: ${summary.left}`, 1)
  report.end(summary.right)
  return summary.right.non_compliant > 0 ? 1 : 0
}

const policyCheck = withSettings(async ({ config }, terminal, { operand: path = '', switches, flags }) => {
  const asJson = switches.includes('json')
  const limit = limitOf(flags['limit'])
  if (limit === undefined) return refuse(terminal, `--limit must be a whole number up to ${maxLimit}`, 2)
  const file = readPolicyFile(readFile)(path)
  return E.isLeft(file)
    ? invalid(terminal, path, file.left, asJson)
    : judged(config, file.right, terminal, { json: asJson, limit })
})

const limitOption: CommandOption = {
  name: 'limit',
  value: 'COUNT',
  description: `how many of the refused clients are listed after the summary; ${defaultLimit} by default, ${maxLimit} at most`,
}

export const policyCheckCommand: Command = {
  name: 'policy check',
  summary: 'say what is wrong with a registration policy, and which stored clients it would refuse; changes nothing',
  operand: { name: 'FILE', description: 'the policy; docs/registration-policy.md says what it may hold' },
  options: [limitOption, json],
  example: 'clientele policy check policy.json --limit 5',
  run: policyCheck,
}
