import { type JudgedClient, type RegistrationPolicy, isNothing } from '@clientele/domain'
import type { Summary } from '../operating/judge-clients.js'
import type { Output } from '../observing/log.js'
import { printable, printableJson } from '../observing/printable.js'
import { privilegeTexts } from './privilege-texts.js'

/** Prints each non-compliant client at once, so that a long list takes no memory, and then the count. */
export type PolicyReport = {
  readonly non_compliant: (client: JudgedClient) => void
  readonly end: (summary: Summary) => void
}

const clientText = ({ client_id, client_name, faults, exceeding }: JudgedClient): string =>
  [
    `${printable(client_id)}${client_name === undefined ? '' : ` ${printableJson(client_name)}`}`,
    ...faults.map(({ pointer, rule }) => `  ${printable(pointer)} ${rule}`),
    ...(isNothing(exceeding) ? [] : [`  beyond the ceilings: ${privilegeTexts(exceeding).join('; ')}`]),
    '',
  ].join('\n')

const notes = ({ maximum_clients }: RegistrationPolicy, { clients, unreadable }: Summary): string =>
  [
    ...(unreadable > 0 ? [`${unreadable} more cannot be read and were not judged.`] : []),
    ...(maximum_clients !== undefined && clients >= maximum_clients
      ? [`No further client would be registered: maximum_clients is ${maximum_clients}.`]
      : []),
  ]
    .map((line) => `${line}\n`)
    .join('')

const textReport = ({ write }: Pick<Output, 'write'>, policy: RegistrationPolicy): PolicyReport => ({
  non_compliant: (client) => void write(clientText(client)),
  end: (summary) =>
    void write(`${notes(policy, summary)}${summary.non_compliant} of ${summary.clients} clients would fall.\n`),
})

const jsonReport = ({ write }: Pick<Output, 'write'>): PolicyReport => {
  let opening = '{"valid":true,"non_compliant":[\n'
  return {
    non_compliant: (client) => {
      write(`${opening}${printableJson(client)}`)
      opening = ',\n'
    },
    end: ({ clients, non_compliant, unreadable }) => {
      const counts = { clients, would_fall: non_compliant, unreadable }
      write(`${non_compliant === 0 ? opening : '\n'}],${JSON.stringify(counts).slice(1)}\n`)
    },
  }
}

export const policyReport = (output: Output, policy: RegistrationPolicy, json: boolean): PolicyReport => {
  const bound = { write: (text: string) => output.write(text) }
  return json ? jsonReport(bound) : textReport(bound, policy)
}
