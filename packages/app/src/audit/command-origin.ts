import type { AuditOrigin } from '@clientele/domain/audit'
import { randomUUID } from 'node:crypto'

/** The origin of a change that a command makes on the store, with an id of its own. */
export const commandOrigin = (): AuditOrigin => ({ door: 'command', request_id: randomUUID() })
