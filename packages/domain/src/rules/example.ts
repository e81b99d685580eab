// An example of a rule: a request that breaks it and nothing else, and the same request repaired.
import type { JsonObject } from '../kernel/json-object.js'
import type { RegistrationPolicy } from '../policy/policy.js'

/** What an example is sent to; a document at a client_id is requested by the service. */
export type ExampleRequest =
  | 'POST /clients'
  | 'PUT /clients/{id}'
  | 'PATCH /manage/v1/clients/{id}'
  | 'POST /direct-authz'
  | 'POST /operator-tokens'
  | 'POST /sessions'
  | 'POST /sessions/find'
  | 'POST /sessions/{sid}/clients'
  | 'a software statement of POST /clients'
  | 'a signed request of POST /clients'
  | 'a document at a client_id'

export type RuleExample = {
  readonly request: ExampleRequest
  /** Why the rule is there. */
  readonly reason: string
  /** RFC 6901: where the fault is reported; empty for the body as a whole. */
  readonly at: string
  /** A JSON body, or the text of what is more than that. */
  readonly bad: JsonObject | string
  readonly good: JsonObject | string
  /** The parts of the registration policy under which the rule counts. */
  readonly policy?: Omit<RegistrationPolicy, 'ceilings'>
  /** What else must be so, as a sentence. */
  readonly given?: string
}

type More = Pick<RuleExample, 'policy' | 'given'>

/** The members that are not null. */
const present = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

/** An example of the request: `repair` has the members of the good one in place of those of the bad one; null leaves one out. */
export const requesting =
  (request: ExampleRequest, all: JsonObject = {}) =>
  (at: string, reason: string, bad: JsonObject, repair: JsonObject, more: More = {}): RuleExample => ({
    request,
    reason,
    at,
    bad: present({ ...all, ...bad }),
    good: present({ ...all, ...bad, ...repair }),
    ...more,
  })

/** An application with one redirection URI, which is all that a registration needs. */
export const registering = requesting('POST /clients', { redirect_uris: ['https://app.example/callback'] })

export const updating = requesting('PUT /clients/{id}', { redirect_uris: ['https://app.example/callback'] })
