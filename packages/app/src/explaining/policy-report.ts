import { type JudgedClient, type RegistrationPolicy, isNothing } from '@clientele/domain'
import type { Tally } from '../operating/judge-clients.js'
import type { Output } from '../observing/log.js'
import { printable, printableJson } from '../observing/printable.js'
import { privilegeTexts } from './privilege-texts.js'

/** Tells each client as it falls, so that a long list takes no memory, and then the count. */
export type PolicyReport = {
  readonly falling: (client: JudgedClient) => void
  readonly end: (tally: Tally) => void
}

const clientText = ({ client_id, client_name, faults, beyond }: JudgedClient): string =>
  [
    `${printable(client_id)}${client_name === undefined ? '' : ` ${printableJson(client_name)}`}`,
    ...faults.map(({ pointer, rule }) => `  ${printable(pointer)} ${rule}`),
    ...(isNothing(beyond) ? [] : [`  beyond the ceilings: ${privilegeTexts(beyond).join('; ')}`]),
    '',
  ].join('\n')

const notes = ({ maximum_clients }: RegistrationPolicy, { clients, unreadable }: Tally): string =>
  [
    ...(unreadable > 0 ? [`${unreadable} more cannot be read and were not judged.`] : []),
    ...(maximum_clients !== undefined && clients >= maximum_clients
      ? [`No further client would be registered: maximum_clients is ${maximum_clients}.`]
      : []),
  ]
    .map((line) => `${line}\n`)
    .join('')

const textReport = ({ write }: Pick<Output, 'write'>, policy: RegistrationPolicy): PolicyReport => ({
  falling: (client) => void write(clientText(client)),
  end: (tally) => void write(`${notes(policy, tally)}${tally.falling} of ${tally.clients} clients would fall.\n`),
})

const jsonReport = ({ write }: Pick<Output, 'write'>): PolicyReport => {
  let opening = '{"valid":true,"falling":[\n'
  return {
    falling: (client) => {
      write(`${opening}${printableJson(client)}`)
      opening = ',\n'
    },
    end: ({ clients, falling, unreadable }) => {
      const counts = { clients, would_fall: falling, unreadable }
      write(`${falling === 0 ? opening : '\n'}],${JSON.stringify(counts).slice(1)}\n`)
    },
  }
}

export const policyReport = (output: Output, policy: RegistrationPolicy, json: boolean): PolicyReport => {
  const bound = { write: (text: string) => output.write(text) }
  return json ? jsonReport(bound) : textReport(bound, policy)
}
