// clientele clients export FILE|-: docs/import-export.md
import * as E from 'fp-ts/lib/Either.js'
import { progressOn } from '../importing/progress.js'
import { type Exported, writeExport, writeExportFile, withExport } from '../importing/export-clients.js'
import { printable } from '../text.js'
import type { Command } from './command.js'
import { refuse } from './show.js'
import type { ExitStatus, Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

// The standard output may be the export.
const conclude = ({ errors }: Terminal, { clients, unreadable }: Exported): ExitStatus => {
  errors.write(`Exported ${clients.toLocaleString('en')} clients\n`)
  if (unreadable.length === 0) return 0
  errors.write(`Not exported, because they cannot be read: ${printable(unreadable.join(', '))}\n`)
  return 1
}

const clientsExport = withSettings(async ({ config }, terminal, { operand = '', switches }) => {
  const { output, errors } = terminal
  const progress = progressOn(errors)
  const onClient = (): void => progress.advance('Exporting')
  const exported = await withExport(config, { secrets: switches.includes('secrets') }, (lines) =>
    operand === '-'
      ? writeExport(lines, (text) => output.write(text), onClient)
      : writeExportFile(operand, lines, onClient),
  )()
  progress.end()
  return E.isLeft(exported) ? refuse(terminal, exported.left, 1) : conclude(terminal, exported.right)
})

export const clientsExportCommand: Command = {
  name: 'clients export',
  summary: 'write all clients to a file, one in each line',
  details:
    'Without --secrets, the file has no client_secret and no registration_access_token, and an import makes new ones.',
  operand: { name: 'FILE', description: 'a new file, or - for the standard output' },
  options: [{ name: 'secrets', description: 'with the credentials of the clients, in clear' }],
  example: 'clientele clients export clients.ndjson',
  run: clientsExport,
}
