import { auditCommands } from '../commands/audit.js'
import { backupCommands, databaseCommands } from '../commands/backups.js'
import { credentialCommands, tokenIssueCommand } from '../commands/credentials.js'
import type { Command } from '../commands/command.js'
import { clientCommands } from '../commands/clients.js'
import { clientsExportCommand } from '../commands/clients-export.js'
import { clientsImportCommand } from '../commands/clients-import.js'
import { configCommands } from '../commands/config.js'
import { doctorCommand } from '../doctor/doctor.js'
import { editCommands } from '../commands/edit-clients.js'
import { encryptionKeyCommands } from '../commands/encryption-keys.js'
import { instanceCommands } from '../commands/instances.js'
import { keyCommands } from '../commands/keys.js'
import { logoutCommands } from '../commands/logouts.js'
import { operatorCommands } from '../commands/operator-tokens.js'
import { serveCommand } from '../commands/serve.js'
import { userCommands } from '../commands/users.js'
import { explainCommand } from '../explaining/explain.js'
import { policyCheckCommand } from '../explaining/policy-check.js'

/** All commands except those of the command line itself. */
export const commands: ReadonlyArray<Command> = [
  serveCommand,
  ...configCommands,
  tokenIssueCommand,
  ...operatorCommands,
  ...credentialCommands,
  ...clientCommands,
  ...editCommands,
  clientsExportCommand,
  clientsImportCommand,
  ...encryptionKeyCommands,
  ...backupCommands,
  doctorCommand,
  explainCommand,
  policyCheckCommand,
  ...keyCommands,
  ...logoutCommands,
  ...auditCommands,
  ...instanceCommands,
  ...databaseCommands,
  ...userCommands,
]

/** The summaries of the first words of two-word commands. */
export const groups: Readonly<Record<string, string>> = {
  config: 'the settings of the service',
  token: 'initial access tokens, by which clients register',
  'operator-token': 'credentials of operators that permit less than the master token',
  clients: 'registered clients',
  'encryption-key': 'the key with which the database keeps secrets',
  policy: 'what the operator allows beyond the standards',
  keys: 'the keys that the provider signs and decrypts with',
  audit: 'who changed what',
  instances: 'the running instances that share a database',
  database: 'the tables of PostgreSQL',
  users: 'the accounts of login development',
  logouts: 'applications that are still to be notified of a logout',
}
