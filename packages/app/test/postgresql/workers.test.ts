// Several workers behind one port, from one command: real processes of the built program.
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import { launch } from '../support/service.js'
import { masterToken, passwordOf } from './postgresql-service.js'
import {
  type Workers,
  entriesOf,
  environmentOn,
  metricAt,
  register,
  send,
  soon,
  withWorkers,
} from './workers-process.js'

const workers = postgresqlSuite('workers')

const times = <A>(count: number, run: () => Promise<A>): Promise<ReadonlyArray<A>> =>
  Promise.all(Array.from({ length: count }, run))

const workersOfRoute = (service: Workers, route: string): ReadonlyArray<number> =>
  [...new Set(entriesOf(service).flatMap((entry) => (entry.route === route ? [entry.worker ?? 0] : [])))].sort()

const requests = 'clientele_http_requests_total{route="/clients",method="POST",status="200"}'

workers(
  'all answer at one public port and one management port, and the start is told once',
  withWorkers(async (service) => {
    const pids = [...service.pids()].sort()
    assert.is(pids.length, 3)
    // The kernel chooses which worker accepts a connection.
    const answeredByAll = async (route: string, request: () => Promise<Response>): Promise<boolean> => {
      for (const { status } of await times(30, request)) assert.is(status, 200)
      return workersOfRoute(service, route).join() === pids.join()
    }
    await soon(() => answeredByAll('/clients', () => register(service)), 'each worker answers at the public port')
    const keys = () => send(`${service.management}/keys`)
    await soon(() => answeredByAll('/keys', keys), 'each worker answers at the management port')
    const { stdout } = service.output()
    assert.is(stdout.match(/^clientele ready /gm)?.length, 1)
    assert.is(stdout.match(/^Clientele at /gm)?.length, 1)
  }),
)

workers(
  'their metrics are told as one, whichever is asked, and no count falls when one is killed',
  withWorkers(async (service) => {
    await times(31, () => register(service))
    const before = await times(6, () => metricAt(service, requests))
    assert.equal(before, [31, 31, 31, 31, 31, 31])
    assert.is(await metricAt(service, 'clientele_http_request_duration_seconds_bucket{le="+Inf",route="/clients"'), 31)
    assert.is(await metricAt(service, 'nodejs_version_info{'), 1)
    const started = await metricAt(service, 'process_start_time_seconds ')
    assert.ok(Math.abs(Date.now() / 1000 - started) < 60)
    const [killed = 0] = service.pids()
    process.kill(killed, 'SIGKILL')
    await soon(() => service.pids().length === 4, 'another worker is ready')
    await times(9, () => register(service))
    assert.equal(await times(4, () => metricAt(service, requests)), [40, 40, 40, 40])
  }),
)

workers(
  'one that is killed is replaced while requests go on',
  withWorkers(async (service) => {
    const underWay = 6
    const outcome = { stopped: false, done: 0, failed: 0 }
    const load = times(underWay, async () => {
      while (!outcome.stopped) {
        const answer = await register(service).catch(() => undefined)
        if (answer === undefined) outcome.failed += 1
        else {
          assert.is(answer.status, 200)
          outcome.done += 1
        }
      }
    })
    try {
      for (const kills of [1, 2]) {
        await new Promise((resolve) => setTimeout(resolve, 300))
        process.kill(service.pids()[kills] ?? 0, 'SIGKILL')
        await soon(() => service.pids().length === 3 + kills, 'another worker is ready')
      }
    } finally {
      outcome.stopped = true
      await load
    }
    // Only requests that the killed worker had are lost.
    assert.ok(outcome.failed <= 2 * underWay, `${outcome.failed} failed`)
    const list = await (await send(`${service.base}/clients`)).json()
    assert.ok(outcome.done > 0 && Array.isArray(list) && list.length >= outcome.done)
    assert.is(await service.stop(), 0)
  }),
)

workers(
  'a reload reaches all of them, one that is starting as well, and is recorded once',
  withWorkers(async (service) => {
    const linesOf = (msg: string) => entriesOf(service).filter((entry) => entry.msg.startsWith(msg))
    process.kill(service.pids()[0] ?? 0, 'SIGKILL')
    await soon(() => linesOf('a worker ended').length === 1, 'the end is logged')
    // The next one is forked after 100 ms, and not ready before 200 more.
    await new Promise((resolve) => setTimeout(resolve, 250))
    assert.is(service.pids().length, 3)
    service.child.kill('SIGHUP')
    await soon(() => linesOf('the settings were read again').length === 3, 'all have read the settings again')
    const reloaded = linesOf('the settings were read again').map(({ worker }) => worker)
    assert.equal([...reloaded].sort(), service.pids().slice(1).sort())
    const recorded = async () => {
      const audit = await (await send(`${service.management}/manage/v1/audit`)).text()
      return audit.split('settings_reloaded').length - 1
    }
    await soon(async () => (await recorded()) === 1, 'one row')
  }),
)

workers.own(
  'a database that goes away ends none that is ready, and one that is killed starts with it again',
  async (server) => {
    await withWorkers(async (service) => {
      const statusOf = async (path: string): Promise<number> => (await send(`${service.base}${path}`)).status
      await server.stop('immediate')
      const [killed = 0] = service.pids()
      process.kill(killed, 'SIGKILL')
      const hasEnded = () =>
        entriesOf(service).some(({ msg, worker }) => worker === killed && msg.startsWith('a worker ended'))
      await soon(hasEnded, 'the end is logged')
      assert.equal(await times(10, () => statusOf('/jwks.json')), Array(10).fill(200))
      assert.is(await statusOf('/clients'), 503)
      await server.start()
      await soon(() => service.pids().length === 4, 'another worker is ready')
      assert.is(await statusOf('/clients'), 200)
      assert.is(entriesOf(service).filter(({ msg }) => msg.startsWith('a worker ended')).length, 1)
    })(server)
  },
)

/** Begins a registration, and completes it after the step; the status line of the answer. */
const registerDuring = ({ base }: Workers, step: () => void): Promise<string> =>
  new Promise((got, fail) => {
    const body = JSON.stringify({ redirect_uris: ['https://rp.example/cb'] })
    const socket = connect(Number(new URL(base).port), '127.0.0.1').on('error', fail)
    socket.on('close', () => fail(new Error('no answer')))
    socket.once('data', (chunk: Buffer) => {
      got(chunk.toString().split('\r\n', 1)[0] ?? '')
      socket.destroy()
    })
    socket.write(
      `POST /clients HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${masterToken}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    )
    setTimeout(step, 200)
    setTimeout(() => socket.write(body.slice(5)), 700)
  })

const ok = 'HTTP/1.1 200 OK'

const ends: Readonly<Record<string, (service: Workers) => void>> = {
  'SIGTERM to the primary': ({ child }) => void child.kill('SIGTERM'),
  'SIGINT to all, as of a terminal,': ({ child, pids }) => {
    child.kill('SIGINT')
    for (const pid of pids()) process.kill(pid, 'SIGINT')
  },
}

for (const [name, end] of Object.entries(ends))
  workers(
    `${name} stops all; what is running finishes, what was acknowledged is there`,
    withWorkers(async (service) => {
      const acknowledged: Array<Response> = []
      const load = times(4, async () => {
        for (;;) {
          const answer = await register(service).catch(() => undefined)
          if (answer === undefined) return
          assert.is(answer.status, 200)
          acknowledged.push(answer)
        }
      })
      const running = times(3, () => registerDuring(service, () => undefined))
      setTimeout(() => end(service), 200)
      assert.equal(await running, [ok, ok, ok])
      await load
      const began = Date.now()
      assert.is(await service.exited, 0)
      assert.ok(Date.now() - began < 10_000)
      assert.ok(acknowledged.length > 0)
    }),
  )

workers(
  'a second signal ends all at once',
  withWorkers(async (service) => {
    const { child, exited } = service
    const unanswered = registerDuring(service, () => {
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGTERM'), 100)
    })
    assert.is(await unanswered.catch(() => 'no answer'), 'no answer')
    assert.is(await exited, 1)
  }),
)

workers(
  'none survives its primary, and what is running finishes',
  withWorkers(async (service) => {
    assert.is(await registerDuring(service, () => void service.child.kill('SIGKILL')), ok)
    // The streams are closed when the last process has ended.
    const ended = { all: false }
    void service.exited.then(() => (ended.all = true))
    await soon(() => ended.all, 'all have ended', 5_000)
  }),
)

/** The only line of a start that is refused. */
const refusalOf = async (environment: Readonly<Record<string, string>>): Promise<string> => {
  const { exited, output } = launch([], environment)
  assert.is(await exited, 1)
  const { stdout, stderr } = output()
  assert.is(stdout, '')
  assert.is(stderr.split('\n').length, 2, stderr)
  return stderr
}

workers(
  'what cannot start is refused in one line',
  withWorkers(async (service) => {
    const { port } = new URL(service.base)
    const same = { 'base-url': service.base }
    const taken = await refusalOf(await environmentOn(service.url, { ...same, port }))
    assert.match(taken, `port ${port} (the port is in use`)
    const other = { ...same, 'encryption-key': Buffer.alloc(32, 'another key').toString('base64url') }
    assert.match(await refusalOf(await environmentOn(service.url, other)), 'it was written with another one')
    const wrong = Object.assign(new URL(service.url), { password: 'the-wrong-password' }).href
    const refusal = await refusalOf(await environmentOn(wrong))
    assert.match(refusal, 'password authentication failed')
    assert.not.match(refusal, passwordOf(wrong))
    assert.is((await register(service)).status, 200)
  }),
)

workers('invalid settings are refused by the primary alone', async (server) => {
  const url = await newDatabase(server)
  assert.match(await refusalOf(await environmentOn(url, { workers: '0' })), /WORKERS.* 1 to 128/)
  assert.match(
    await refusalOf(await environmentOn('sqlite:clientele.db')),
    /^workers \(environment CLIENTELE_WORKERS\) must be 1 unless database-url is of PostgreSQL.*: leave it out, or set database-url/,
  )
})

workers.run()
