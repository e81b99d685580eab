// The law of doors over HTTP: the running service against the decision of the domain about a registration.
import { members } from '@clientele/domain/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Door,
  type SentMetadata,
  type Verdict,
  doorExceptions,
  doorsLaw,
  everyFaultOf,
  exceptionsOverHttp,
  ownDoors,
  verdictOf,
} from '@clientele/testing'
import { faultsOf } from '../support/metadata/refusals.js'
import { type Answer, configurationOf, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const Doors = suite<{ service: Service }>('no door of the service lets in what another one refuses')

Doors.before(async (context) => {
  context.service = await startService()
})
Doors.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

const verdictIn = (answer: Answer): Verdict => {
  if (answer.status === 200) return []
  const { error, error_description } = answer.json
  const described = { error: String(error), error_description: String(error_description) }
  return verdictOf({ ...described, errors: faultsOf(answer) })
}

/** The body as its JSON text says it: without members that are undefined. */
const asJson = (body: SentMetadata): SentMetadata =>
  Object.fromEntries(Object.entries(Object(JSON.parse(JSON.stringify(body)))))

Doors('POST, PUT, their dry runs and PATCH over HTTP, on every body with one fault', async ({ service }) => {
  const { path } = configurationOf(await register(service))
  const doorAt = (name: string, method: string, to: string, before = {}): Door => ({
    name: `${name} over HTTP`,
    judge: async (body) =>
      verdictIn(await send(service, to, { method, json: { ...before, ...body }, token: service.master })),
  })
  const doors = [
    doorAt('dry run of POST', 'POST', '/clients?dry_run=true'),
    doorAt('POST', 'POST', '/clients'),
    doorAt('dry run of PUT', 'PUT', `${path}?dry_run=true`),
    doorAt('PUT', 'PUT', path),
    doorAt(
      'PATCH',
      'PATCH',
      path.replace('/clients/', '/manage/v1/clients/'),
      Object.fromEntries(Object.keys(members).map((name) => [name, null])),
    ),
  ]
  const [post] = ownDoors()
  const bodies = [{ redirect_uris }, ...everyFaultOf({}).map(({ body }) => asJson(body))]
  const ofPatches = doorExceptions
    .filter(({ id }) => id === 'patch-removes-by-null')
    .map((each) => ({ ...each, doors: ['PATCH over HTTP'] }))
  const exceptions = [...exceptionsOverHttp, ...ofPatches]
  const { compared, disagreements, unused } = await doorsLaw([post, ...doors], bodies, exceptions)
  const shown = disagreements.slice(0, 5).map((each) => JSON.stringify(each).slice(0, 1500))
  assert.is(disagreements.length, 0, shown.join('\n'))
  assert.equal(unused, [])
  assert.is(compared, bodies.length * doors.length)
  console.log(`${bodies.length} bodies x ${doors.length} doors over HTTP`)
})

Doors.run()
