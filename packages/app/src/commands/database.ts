// clientele database migrate: changes the schema apart from a start of the service.
import { migrateSchema } from '../operating/migrate-schema.js'
import { json, type Command } from './command.js'
import { printableDocument } from '../observing/printable.js'
import { show } from './show.js'
import { withSettings } from './with-settings.js'

const migratedText = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  from === to ? `The database has schema ${to}; nothing was due` : `Migrated from schema ${from} to schema ${to}`

const migrate = withSettings(({ config }, terminal, { switches }) =>
  show(terminal, migrateSchema(config), switches.includes('json') ? printableDocument : migratedText),
)

export const databaseCommands: ReadonlyArray<Command> = [
  {
    name: 'database migrate',
    summary: 'bring the tables of PostgreSQL to the schema of this version, beside running instances',
    details: 'Nothing due is success. For database-migrate=check, with which no start changes the schema.',
    options: [json],
    example: 'clientele database migrate',
    run: migrate,
  },
]
