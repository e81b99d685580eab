// What is compared: a column of the table for a peer, and for this service.
import { isDeepStrictEqual } from 'node:util'
import {
  bodiesForDoors,
  documentExceptions,
  doorExceptions,
  doorsLaw,
  everyFaultOf,
  ownDoors,
} from '../../packages/testing/dist/index.js'
import { doorOf } from './answer.mjs'

const asJson = (body) => JSON.parse(JSON.stringify(body))
const accepted = { redirect_uris: ['https://rp.example/callback'], token_endpoint_auth_method: 'none' }
const bodies = bodiesForDoors().map(asJson)
// A value that JSON has not, such as undefined, is no fault over HTTP.
const invalid = everyFaultOf({})
  .filter(({ body }) => isDeepStrictEqual(body, asJson(body)))
  .map(({ body, fault }) => ({ body, member: fault.pointer.split('/')[1] }))

export const rows = [
  'bodies',
  'doors',
  'bodies that one door lets in and another refuses',
  'bodies with one fault by our rules',
  'of these, let in at `POST`',
  'of these, registered with the value of the fault',
  'faults reported at once, at most',
  'internal errors',
]

// What only a server issues, or one registration asks for: the standards let doors differ there.
const issued = ['client_id', 'client_secret', 'client_id_issued_at', 'client_secret_expires_at', 'software_statement']
const others = [
  'registration_access_token',
  'registration_client_uri',
  'preferred_client_id',
  'preferred_client_secret',
]
// RFC 7592 §2.2: an update may ignore null and empty values.
const isEmpty = (value) => value === null || value === ''
const isCompared = (door, body) =>
  ![...issued, ...others].some((name) => Object.hasOwn(body, name)) &&
  !(door === 'PUT' && Object.values(body).some(isEmpty)) &&
  !(door === 'document' && documentExceptions.some(({ appliesTo }) => appliesTo(body)))

const registers = ({ json }, { body, member }) =>
  Object.hasOwn(body, member) && isDeepStrictEqual(json[member], body[member])

/** The column of a peer, whose verdicts alone are compared, and examples of what it lets in. */
export const columnOf = async ({ doors, faultsIn = () => 1 }) => {
  const answers = []
  const [post, ...more] = doors.map((door) => doorOf(door, (answer) => answers.push(answer)))
  for (const door of [post, ...more])
    if ((await door.judge(accepted)).length > 0) throw new Error(`${door.name} refuses a body without a fault`)
  const differing = []
  for (const door of more) {
    const compared = bodies.filter((body) => isCompared(door.name, body))
    differing.push(...(await doorsLaw([post, door], compared)).disagreements)
  }
  const letIn = []
  for (const each of invalid)
    if ((await post.judge(each.body)).length === 0) letIn.push([post.answerTo(each.body), each])
  for (const body of bodies) await post.judge(body)
  const refusals = answers.filter(({ status }) => status >= 400 && status < 500)
  const registered = letIn.filter((found) => registers(...found))
  const failed = answers.filter(({ status }) => status >= 500)
  const column = [
    ...[bodies.length, doors.length],
    more.length === 0 ? '-' : new Set(differing.map(({ body }) => JSON.stringify(body))).size,
    ...[invalid.length, letIn.length, registered.length],
    Math.max(...refusals.map(({ json }) => faultsIn(json))),
    new Set(failed.map(({ body }) => JSON.stringify(body))).size,
  ]
  const different = differing.map(({ doors, body, verdicts }) => ({
    doors,
    body,
    refused: verdicts[0].length > 0,
  }))
  return {
    column,
    examples: { differing: different, registered: registered.map(([, { body }]) => body), failed },
  }
}

/** The column of this service, whose doors are compared by all their faults, but for the published exceptions. */
export const ownColumn = async () => {
  const doors = ownDoors()
  const { disagreements } = await doorsLaw(doors, bodies, doorExceptions)
  const [post] = doors
  const most = bodies.reduce((count, body) => Math.max(count, post.judge(body).length), 0)
  const letIn = invalid.filter(({ body }) => post.judge(body).length === 0)
  const differing = new Set(disagreements.map(({ body }) => JSON.stringify(body)))
  return [bodies.length, doors.length, differing.size, invalid.length, letIn.length, letIn.length, most, 0]
}
