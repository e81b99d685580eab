import { lifeCycleCommands, liveLifeCycle } from '@clientele/testing'
import fc from 'fast-check'
import { suite } from 'uvu'
import { send } from '../support/requests.js'
import { serviceAsSubject } from '../support/service-as-subject.js'
import { type TimedService, startTimedService } from '../support/timed-service.js'

// The model of the testing kit, compared with the service over HTTP, with SQLite on a file.
const life = suite<{ service: TimedService }>('life cycle against a model')
const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 40)

life.before.each(async (context) => {
  context.service = await startTimedService()
})
life.after.each(({ service }) => service.stop())

const emptied = async (service: TimedService): Promise<void> => {
  for (const { client_id } of await serviceAsSubject(service).list())
    await send(service, `/clients/${String(client_id)}`, { method: 'DELETE', token: service.master })
}

life('one after another: issue, register, read, update, delete, list, with expiry', ({ service }) =>
  fc.assert(
    fc.asyncProperty(lifeCycleCommands(service), async (commands) => {
      await emptied(service)
      await liveLifeCycle(commands, serviceAsSubject(service))
    }),
    { numRuns: Math.min(numRuns, 300) },
  ),
)

life('parallel clients: each sees its own life cycle as if alone', ({ service }) => {
  const lives = fc.array(lifeCycleCommands({ ...service, beside: true, maxCommands: 30 }), {
    minLength: 2,
    maxLength: 8,
  })
  return fc.assert(
    fc.asyncProperty(lives, async (sequences) => {
      await Promise.all(sequences.map((commands) => liveLifeCycle(commands, serviceAsSubject(service))))
    }),
    { numRuns: Math.min(Math.ceil(numRuns / 4), 100) },
  )
})

life.run()
