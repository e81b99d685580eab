// The part doors of docs/reuse/test-your-rules.md, from the doors and their exceptions.
import {
  type DoorException,
  bodiesForDoors,
  doorExceptions,
  everyFaultOf,
  exceptionsOverHttp,
  ownDoors,
} from '../../src/index.js'
import { code, table } from '../../../domain/test/documents/markdown.js'

const meanings: Readonly<Record<string, readonly [receives: string, decidedBy: string]>> = {
  POST: ['the body of `POST /clients`, sent by an operator', 'decideRegistration'],
  PUT: ['the body of `PUT /clients/{id}`, sent by an operator', 'decideUpdate'],
  PATCH: [
    'the body as a merge patch that replaces the metadata, at `PATCH /manage/v1/clients/{id}`, sent by an operator',
    'decidePatch',
  ],
  'dry run of POST': ['the same as POST, with `?dry_run=true`', 'previewRegistration'],
  'dry run of PUT': ['the same as PUT, with `?dry_run=true`', 'previewUpdate'],
  document: ['the document at a client_id that is a URL; it is refused for safety alone', 'decideDocument'],
  'explained document': ['the same, as `clientele explain` and the playground tell it', 'explainDocument'],
  'software statement': [
    'the claims of a verified software statement, in a body with nothing else',
    'decideRegistration',
  ],
  import: ['the metadata of a record that is imported', 'judgeDraft'],
}

const rowOf = (name: string): ReadonlyArray<string> => {
  const [receives = '', decidedBy = ''] = meanings[name] ?? []
  return [code(name), receives, code(decidedBy)]
}

const exceptionRow = ({ id, doors, difference, reason }: DoorException): ReadonlyArray<string> => [
  code(id),
  doors.map(code).join(', '),
  difference,
  reason,
]

const thousands = (count: number): string => count.toLocaleString('en-US')

// Copied from the output of node bench/peers/run.mjs.
const otherServers = `| compared | A | B | C | D | Clientele |
| --- | --: | --: | --: | --: | --: |
| bodies | 3,856 | 3,856 | 3,856 | 3,856 | 3,856 |
| doors | 3 | 2 | 2 | 1 | 7 |
| bodies that one door lets in and another refuses | 30 | 32 | 70 | - | 0 |
| bodies with one fault by our rules | 1,875 | 1,875 | 1,875 | 1,875 | 1,875 |
| of these, let in at \`POST\` | 817 | 1,524 | 1,631 | 1,742 | 0 |
| of these, registered with the value of the fault | 211 | 201 | 115 | 277 | 0 |
| faults reported at once, at most | 1 | 20 | 1 | 14 | 50 |
| internal errors | 0 | 0 | 0 | 0 | 0 |`

/** The part. */
export const doorsDocument = (): string => {
  const doors = ownDoors()
  return `## Doors

A *door* is a way by which client metadata enters a service. Sooner or later, a service with several doors accepts at one
of them what it refuses at another, because somebody adds a rule to registrations, and forgets updates.

**The law of doors**: for every body, all doors report the same faults (place, rule and description, in the same order) as
the first door, or none. Published exceptions are permitted. A document is written for all services, so that only a fault of safety refuses it: its doors report the same
faults of safety ([kinds of rules](../use/client-metadata.md#rules)), and say the same about what they leave out. The law holds for the doors of Clientele:

${table(
  ['door', 'what it judges', 'by'],
  doors.map(({ name }) => rowOf(name)),
)}

The bodies are the ${thousands(everyFaultOf({}).length)} ones with exactly one fault ([testing](#exactly-one-fault)), the same without what needs a
client_secret, and a few with members that are not metadata. These are ${thousands(bodiesForDoors().length)} bodies at ${doors.length} doors, without a policy and with one; any
values of the members are tried as well. A test compares the running service over HTTP: \`packages/app/test/wire/doors.test.ts\`.

### Exceptions

An exception permits single faults of some bodies; all other faults of these bodies still count. The test fails for an exception that no body needs,
so that the list is no longer than it must be. The first door is \`POST\`.

${table(['exception', 'doors', 'difference', 'reason'], [...doorExceptions, ...exceptionsOverHttp].map(exceptionRow))}

Where a document chooses another method than a registration, [laws of documents](../use/documents.md#the-same-decision-as-post) compare what it becomes.

### Your own doors

A door is a name with a function from a body to its faults. In this program, updates forget a rule of registrations:

\`\`\`js
import { bodiesForDoors, doorExceptions, doorsLaw, ownDoors } from '@clientele/testing'

const [post, put] = ownDoors()
const judge = async (body) => (await put.judge(body)).filter(({ rule }) => rule !== 'uri-fragment')
const doors = [post, { name: 'PUT', judge }]

const { disagreements } = await doorsLaw(doors, bodiesForDoors(), doorExceptions)
console.log(disagreements[0].verdicts)
\`\`\`

\`\`\`
[
  [],
  [
    {
      pointer: '/frontchannel_logout_uri',
      rule: 'uri-fragment',
      description: 'frontchannel_logout_uri must not have a fragment: leave out # and what follows'
    }
  ]
]
\`\`\`

These are doors over HTTP, of any service with RFC 7591:

\`\`\`js
import { bodiesForDoors, doorsLaw, ownDoors, verdictAlone, verdictOf } from '@clientele/testing'

const door = (name, method, url, token) => ({
  name,
  judge: async (body) => {
    const headers = { 'content-type': 'application/json', authorization: \`Bearer \${token}\` }
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
    return answer.ok ? [] : verdictOf(await answer.json())
  },
})

// Two doors of one service, with all their faults
export const compareDoors = (url, token, client) =>
  doorsLaw([door('POST', 'POST', url, token), door('PUT', 'PUT', client, token)], bodiesForDoors())

// A service against the rules here: the verdicts alone, because its faults have other names
export const compareService = (url, token) =>
  doorsLaw([ownDoors()[0], door('theirs', 'POST', url, token)].map(verdictAlone), bodiesForDoors())
\`\`\`

\`doorsLaw(doors, bodies, exceptions)\` returns \`compared\`, the number of compared verdicts, \`disagreements\`, each with
both doors, the body and the faults that differ, and \`unused\`, the exceptions that no body needed. An exception is data as
well: \`id\`, \`doors\`, \`difference\`, \`reason\`, and \`permits\`, a function from a fault that one door alone reports. A door may say in
\`refusesFor\` for which faults it refuses a body, and in \`adjust\` what it leaves out.
The [decision on laws and doors](../decisions/laws-and-doors.md) gives the reasons.

### Other servers

\`node bench/peers/run.mjs\` runs the law on the doors of four other servers, A to D, and of this service. It installs them in \`bench/peers\`,
with exact versions, and prints their names ([decision on laws and doors](../decisions/laws-and-doors.md)). The table has the run of 2026-11-26, on Node 20:

${otherServers}

At every other server with several doors, one door lets in bodies that another refuses. All four register values that the
rules here refuse. The program compares only the verdicts of A to D, because their faults have other names; it compares the doors of Clientele
by all faults, with the exceptions above.

- *Bodies are JSON.* Of the ${thousands(everyFaultOf({}).length)} with exactly one fault, those count whose values are the same as JSON.
- *Not every difference is a defect.* The program leaves out bodies where a standard permits a difference: identifiers and secrets in all bodies, null and
  empty values in updates (RFC 7592 §2.2), and in documents what the exceptions above name for their methods. Other differences remain that a
  server may want, such as private keys that it refuses in documents alone.
- *A server may ignore a member that it does not know* (RFC 7591 §2), and then lets in a body with a fault there. So the next row
  counts only the bodies of which the answer repeats the value. Some rules here are stricter than the standards, or say what this
  service does not support. Both rows have 0 for Clientele by definition, because the faults are those of its rules.
- *An error is internal* if the answer has a status of 500 or more, or if a function throws something that is no refusal.

\`node bench/peers/run.mjs --examples\` prints some of the bodies.
`
}
