// Metrics of a worker whose primary does not answer: real processes of the built program.
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import * as assert from 'uvu/assert'
import { type Workers, send, withWorkers } from './workers-process.js'

const metrics = postgresqlSuite('the metrics without the primary')

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Requests the metrics of a service whose primary stands still. */
const readDuring = async ({ management, child }: Workers, step: () => void): Promise<string> => {
  child.kill('SIGSTOP')
  const answer = send(`${management}/metrics`)
  await pause(500)
  step()
  const { status, text } = await answer.then(async (got) => ({ status: got.status, text: await got.text() }))
  assert.is(status, 200)
  return text
}

metrics(
  'are those of the worker when the primary stands still',
  withWorkers(async (service) => {
    const began = performance.now()
    const text = await readDuring(service, () => undefined)
    assert.ok(performance.now() - began < 5_000)
    assert.match(text, 'process_start_time_seconds')
    service.child.kill('SIGCONT')
    assert.is(await service.stop(), 0)
  }),
)

metrics(
  'are those of the worker when the primary is killed meanwhile',
  withWorkers(async (service) => {
    const began = performance.now()
    const text = await readDuring(service, () => void service.child.kill('SIGKILL'))
    assert.ok(performance.now() - began < 1_900)
    assert.match(text, 'process_start_time_seconds')
  }),
)

metrics.run()
