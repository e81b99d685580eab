// What the operator can do: all commands except those of the command line itself, in the order of the help.
import { auditCommands } from './cli/audit.js'
import { backupCommands, databaseCommands } from './cli/backups.js'
import { clientSecretCommands } from './cli/client-secrets.js'
import { clientCommands } from './cli/clients.js'
import type { Command } from './cli/command.js'
import { applyCommand } from './cli/apply-clients.js'
import { connectionCommands } from './cli/connections.js'
import { editCommands } from './cli/edit-clients.js'
import { encryptionKeyCommands } from './cli/encryption-keys.js'
import { keyCommands } from './cli/keys.js'
import { refusalsCommand } from './cli/refusals.js'
import { logoutCommands } from './cli/logouts.js'
import { serveCommand } from './cli/serve.js'
import { configCommands, instanceCommands, reloadCommand } from './cli/service.js'
import { operatorTokenCommands, tokenCommands } from './cli/tokens.js'
import { transferCommands } from './cli/transfer-clients.js'
import { userCommands } from './cli/users.js'
import { doctorCommand } from './doctor/doctor.js'
import { explainCommand } from './explaining/explain.js'
import { policyCheckCommand } from './explaining/policy-check.js'

export const commands: ReadonlyArray<Command> = [
  serveCommand,
  ...configCommands,
  ...tokenCommands,
  ...operatorTokenCommands,
  reloadCommand,
  ...clientCommands,
  ...clientSecretCommands,
  ...editCommands,
  ...transferCommands,
  applyCommand,
  ...connectionCommands,
  refusalsCommand,
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
  connections: 'what end-users granted to applications',
  'encryption-key': 'the key with which the database keeps secrets',
  policy: 'what the operator allows beyond the standards',
  keys: 'the keys that the provider signs and decrypts with',
  audit: 'who changed what',
  instances: 'the running instances that share a database',
  database: 'the tables of PostgreSQL',
  users: 'the accounts of login development',
  logouts: 'applications that are still to be notified of a logout',
}
