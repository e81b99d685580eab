// clientele doctor: looks for faults of an installation.
import { clientIdUrl } from '@clientele/domain/client'
import { epochSeconds } from '@clientele/domain/kernel'
import { counted } from '../observing/counted.js'
import { printable, printableDocument } from '../observing/printable.js'
import { diagnose } from './diagnose.js'
import type { Finding } from './findings.js'
import { json, type Command, refuse, type ExitStatus, type Terminal, withSettings } from '../cli/command.js'

const marks: Readonly<Record<Finding['level'], string>> = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' }

const lineOf = ({ check, level, text, remedy }: Finding): string =>
  [
    `${marks[level]} ${check}: ${printable(text)}`,
    ...(remedy === undefined ? [] : [`        ${printable(remedy)}`]),
  ].join('\n')

const countOf = (findings: ReadonlyArray<Finding>, level: Finding['level']): number =>
  findings.filter((each) => each.level === level).length

const reportText = (findings: ReadonlyArray<Finding>): string =>
  [
    ...findings.map(lineOf),
    `${counted(countOf(findings, 'fault'), 'fault', 'faults')}, ${counted(countOf(findings, 'warning'), 'warning', 'warnings')}`,
  ].join('\n')

const print = ({ output }: Terminal, findings: ReadonlyArray<Finding>, asJson: boolean): ExitStatus => {
  const faults = countOf(findings, 'fault')
  output.write(`${asJson ? printableDocument({ healthy: faults === 0, findings }) : reportText(findings)}\n`)
  return faults === 0 ? 0 : 1
}

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'look for faults of the installation, each with its remedy; status 1 if there is one',
  details:
    'Files, disk, clock, settings, keys, the encryption key, logout notifications, clients with a metadata document, ' +
    'clients that settings name, and instances. Nothing is changed. The checks of the store are left out while a file is at fault.',
  operand: {
    name: 'URL',
    description: 'of the metadata document of a client: it is requested once, and compared with the approved one',
    optional: true,
  },
  options: [
    { name: 'reach', description: 'ask base-url as well; without this option only where outbound-fetches is on' },
    json,
  ],
  example: 'clientele doctor --reach',
  run: withSettings(async ({ config }, terminal, { operand, switches }) => {
    const read = operand === undefined ? undefined : clientIdUrl(operand)
    if (read !== undefined && read.kind !== 'url')
      return refuse(terminal, `the URL is not that of a document: see clientele explain ${printable(operand ?? '')}`, 2)
    const base = switches.includes('reach') || config['outbound-fetches']
    const findings = await diagnose(config, { base, document: read?.url }, epochSeconds(Date.now()))
    return print(terminal, findings, switches.includes('json'))
  }),
}
