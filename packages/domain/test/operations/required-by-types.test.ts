import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { updateClient } from '../../src/operations/configure.js'
import type { importClients } from '../../src/operations/importing.js'
import type { startSession } from '../../src/operations/sessions.js'
import type { registerClient } from '../../src/operations/register.js'
import type { suspendClient } from '../../src/operations/change.js'

/** The names of members that a value of the type must have. */
type Required<Of> = { [Name in keyof Of]-?: Record<never, never> extends Pick<Of, Name> ? never : Name }[keyof Of]
type Needs<Of, Names extends string> = [Names] extends [Required<Of>] ? true : false

type PortsOf<Operation extends (settings: never, ports: never) => unknown> = Parameters<Operation>[1]
type RequestOf<Operation extends (...given: never) => (request: never) => unknown> = Parameters<
  ReturnType<Operation>
>[0]

// A promise that a caller can leave out is none: each of these does not compile where a name becomes optional.
const ports: {
  readonly register: Needs<
    PortsOf<typeof registerClient>,
    'auditRow' | 'findClient' | 'findKeyedRegistration' | 'findUnused' | 'replaceClient' | 'hashToken' | 'serialize'
  >
  readonly update: Needs<PortsOf<typeof updateClient>, 'auditRow' | 'serialize'>
  readonly import: Needs<PortsOf<typeof importClients>, 'auditRow'>
  readonly session: Needs<PortsOf<typeof startSession>, 'auditRow'>
  readonly suspend: Needs<Parameters<typeof suspendClient>[0], 'auditRow' | 'serialize'>
} = { register: true, update: true, import: true, session: true, suspend: true }
const requests: {
  readonly register: Needs<RequestOf<typeof registerClient>, 'origin'>
  readonly update: Needs<RequestOf<typeof updateClient>, 'origin'>
  readonly session: Needs<RequestOf<typeof startSession>, 'origin'>
  readonly suspend: Needs<RequestOf<typeof suspendClient>, 'origin'>
} = { register: true, update: true, session: true, suspend: true }

const Types = suite('what an operation cannot be composed without')

Types('an audit row, its origin, and the ports of repeated registrations', () => {
  for (const needs of [ports, requests]) assert.ok(Object.values(needs).every((isNeeded) => isNeeded))
})

Types.run()
