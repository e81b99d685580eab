// Conditions for every refused registration.
import * as assert from 'uvu/assert'
import { type Answer, type Sent, send } from '../requests.js'
import type { Service } from '../composed-service.js'

export type ReportedFault = { readonly pointer: string; readonly rule: string; readonly description: string }

const reported = (each: unknown): ReportedFault => {
  const members: ReadonlyMap<string, unknown> = new Map(Object.entries(Object(each)))
  const [pointer, rule, description] = ['pointer', 'rule', 'description'].map((name) => String(members.get(name)))
  return { pointer: pointer ?? '', rule: rule ?? '', description: description ?? '' }
}

/** The faults of an answer, in the order of the report. */
export const faultsOf = ({ json }: Answer): ReadonlyArray<ReportedFault> =>
  Array.isArray(json['errors']) ? json['errors'].map(reported) : []

/** Each fault as POINTER RULE. */
export const rulesOf = (answer: Answer): ReadonlyArray<string> =>
  faultsOf(answer).map(({ pointer, rule }) => `${pointer} ${rule}`)

/** All clients, listed with the master token. */
export const allClients = async (service: Service): Promise<string> =>
  (await send(service, '/clients', { token: service.master })).text

export const post = (service: Service, body: string | Uint8Array, token: string, sent: Sent = {}): Promise<Answer> =>
  send(service, '/clients', {
    method: 'POST',
    token,
    body,
    ...sent,
    headers: { 'content-type': 'application/json', ...sent.headers },
  })

const maxAnswer = 20 * 1024

/** Checks the headers, the size and the type of a refusal. */
export const assertCareful = (answer: Answer, status: number, error: string): void => {
  assert.is(answer.status, status, answer.text.slice(0, 300))
  assert.is(answer.json['error'], error)
  assert.match(String(answer.headers.get('content-type')), /^application\/json/)
  assert.is(answer.headers.get('cache-control'), 'no-store')
  assert.is(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.is(answer.headers.get('www-authenticate'), null)
  assert.ok(Buffer.byteLength(answer.text) <= maxAnswer, `an answer of ${answer.text.length} characters`)
  for (const description of [answer.json['error_description'], ...faultsOf(answer).map((each) => each.description)])
    assert.match(String(description), /^[ !#-[\]-~]+$/)
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The output of the service, as soon as the log contains the answer. */
const logWith = async (service: Service, answer: Answer): Promise<string> => {
  const id = String(answer.headers.get('x-request-id'))
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const { stdout, stderr } = service.output()
    if (stderr.includes(id)) return `${stdout}${stderr}`
    await wait(5)
  }
  throw new Error(`the log has no entry of the request ${id}`)
}

/** Neither the answer nor the log contains a rejected value. */
export const assertUntold = async (
  service: Service,
  answer: Answer,
  ...secrets: ReadonlyArray<string>
): Promise<void> => {
  const log = await logWith(service, answer)
  for (const secret of secrets) {
    assert.not.ok(answer.text.includes(secret), `the answer tells ${secret}`)
    assert.not.ok(log.includes(secret), `the log tells ${secret}`)
  }
}
