import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationOf, register, send } from '../support/requests.js'
import { discard, newDataDir, launch, mainFile, startService } from '../support/service.js'

const processTests = suite('the process')

processTests(
  'the first start makes the files, prints what it made, and the printed curl registers a client',
  async () => {
    const service = await startService()
    for (const name of ['clientele.db', 'master-token', 'encryption-key'])
      assert.is(statSync(join(service.dataDir, name)).mode & 0o777, 0o600, name)
    const { stdout, stderr } = service.output()
    assert.not.match(stdout + stderr, service.master)
    const curl = /^\s*(curl [\s\S]*?[^\\])$/m.exec(stdout)?.[1] ?? ''
    assert.match(curl, 'master-token')
    const answer = JSON.parse(execFileSync('sh', ['-c', curl], { encoding: 'utf8' }))
    assert.type(answer.client_id, 'string')
    assert.is(await service.stop(), 0)
    discard(service.dataDir)
  },
)

for (const [name, file] of [
  ['the bundle', mainFile],
  ['the modules', fileURLToPath(new URL('../../dist/main.js', import.meta.url))],
] as const)
  processTests(`started from ${name}, no object of the process has __proto__`, async () => {
    const told = "process.on('exit',()=>process._rawDebug('__proto__ of objects:','__proto__' in Object.prototype))"
    const { exited, output } = launch(
      ['--version'],
      { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(told)}` },
      file,
    )
    assert.is(await exited, 0)
    assert.match(output().stderr, '__proto__ of objects: false')
  })

processTests('a start tells of status 200 until the operator has chosen a status', async () => {
  const reported: Array<boolean> = []
  for (const settings of [{}, { CLIENTELE_REGISTRATION_STATUS: '200' }, { CLIENTELE_REGISTRATION_STATUS: '201' }]) {
    const service = await startService(settings)
    reported.push(
      /^Registrations are answered with 200,.*\nset registration-status to 201 /m.test(service.output().stdout),
    )
    assert.is((await register(service)).status, settings.CLIENTELE_REGISTRATION_STATUS === '201' ? 201 : 200)
    assert.is(await service.stop(), 0)
    discard(service.dataDir)
  }
  assert.equal(reported, [true, false, false])
})

processTests('the second start finds what the first made', async () => {
  const first = await startService()
  const registered = await register(first)
  assert.is(await first.stop(), 0)
  const second = await startService({}, first.dataDir)
  assert.is(second.master, first.master)
  const { token } = configurationOf(registered)
  const { json } = await send(second, `/clients/${String(registered.json['client_id'])}`, { token })
  assert.is(json['client_secret'], registered.json['client_secret'])
  assert.match(second.output().stdout, /found/i)
  assert.is(await second.stop(), 0)
  discard(first.dataDir)
})

processTests('a second process on the same data refuses to start and leaves the first alone', async () => {
  const first = await startService()
  const second = launch([], { CLIENTELE_DATA_DIR: first.dataDir, CLIENTELE_PORT: '0' })
  assert.is(await second.exited, 1)
  assert.match(second.output().stderr, /in use|already|another/i)
  assert.is((await register(first)).status, 200)
  assert.is(await first.stop(), 0)
  discard(first.dataDir)
})

processTests(
  'the management port is on loopback although the service is on all addresses, unless it is told otherwise',
  async () => {
    const everywhere = { CLIENTELE_HOST: '0.0.0.0', CLIENTELE_MANAGEMENT_PORT: '0' }
    const other = '127.0.0.2'
    const statusAt = async (service: { readonly output: () => { readonly stdout: string } }): Promise<unknown> => {
      const [, port] = /Health and metrics at \S+:(\d+)/.exec(service.output().stdout) ?? []
      return fetch(`http://${other}:${port}/health/live`).then(
        ({ status }) => status,
        () => 'refused',
      )
    }
    for (const [settings, expected] of [
      [everywhere, 'refused'],
      [{ ...everywhere, CLIENTELE_MANAGEMENT_HOST: '0.0.0.0' }, 200],
    ] as const) {
      const service = await startService(settings)
      assert.is(await statusAt(service), expected)
      assert.is(await service.stop(), 0)
      discard(service.dataDir)
    }
  },
)

processTests('Expect: 100-continue gets 413 in place of 100 where the length is too large', async () => {
  const service = await startService()
  const firstLine = (length: number): Promise<string> =>
    new Promise((got, fail) => {
      const socket = connect(Number(new URL(service.base).port), '127.0.0.1').on('error', fail)
      socket.once('data', (chunk: Buffer) => {
        got(chunk.toString().split('\r\n', 1)[0] ?? '')
        socket.destroy()
      })
      socket.write(
        `POST /clients HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.master}\r\nExpect: 100-continue\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
      )
    })
  assert.is(await firstLine(65_536), 'HTTP/1.1 100 Continue')
  assert.is(await firstLine(65_537), 'HTTP/1.1 413 Payload Too Large')
  assert.is(await firstLine(2 ** 33), 'HTTP/1.1 413 Payload Too Large')
  assert.is(await service.stop(), 0)
  discard(service.dataDir)
})

processTests('SIGTERM under load: what is running finishes, what was acknowledged is there, exit 0', async () => {
  const service = await startService()
  const acknowledged: Array<string> = []
  let stopped = false
  const load = Array.from({ length: 8 }, async () => {
    while (!stopped) {
      const answer = await register(service).catch(() => undefined)
      if (answer === undefined) return
      assert.is(answer.status, 200)
      acknowledged.push(String(answer.json['client_id']))
    }
  })
  await new Promise((resolve) => setTimeout(resolve, 500))
  const code = await service.stop()
  stopped = true
  await Promise.all(load)
  assert.is(code, 0)
  assert.ok(acknowledged.length > 0)
  const again = await startService({}, service.dataDir)
  const all = JSON.parse((await send(again, '/clients', { token: again.master })).text)
  const stored = new Set(all.map((client: { client_id: string }) => client.client_id))
  assert.equal(
    acknowledged.filter((id) => !stored.has(id)),
    [],
  )
  await again.stop()
  discard(service.dataDir)
})

processTests('a faulty configuration is refused with every fault at once, and nothing is made', async () => {
  const dataDir = join(newDataDir(), 'none')
  const secret = 'too-short-secret'
  const invalid = launch([], {
    CLIENTELE_DATA_DIR: dataDir,
    CLIENTELE_PORT: 'many',
    CLIENTELE_CLIENT_ID_LENGTH: '3',
    CLIENTELE_MASTER_TOKEN: secret,
    CLIENTELE_BASE_ULR: 'https://op.example',
  })
  assert.is(await invalid.exited, 1)
  const { stderr } = invalid.output()
  for (const name of ['CLIENTELE_PORT', 'CLIENTELE_CLIENT_ID_LENGTH', 'CLIENTELE_MASTER_TOKEN', 'CLIENTELE_BASE_URL'])
    assert.match(stderr, name)
  assert.not.match(stderr, secret)
  assert.throws(() => statSync(dataDir))
})

processTests('a wrong encryption key is refused, and nothing is changed', async () => {
  const service = await startService()
  await register(service)
  await service.stop()
  const database = join(service.dataDir, 'clientele.db')
  const before = readFileSync(database)
  writeFileSync(join(service.dataDir, 'encryption-key'), Buffer.alloc(32, 7).toString('base64url'))
  const wrong = launch([], { CLIENTELE_DATA_DIR: service.dataDir, CLIENTELE_PORT: '0' })
  assert.is(await wrong.exited, 1)
  assert.match(wrong.output().stderr, /encryption key/i)
  assert.equal(readFileSync(database), before)
  discard(service.dataDir)
})

processTests('a database that is none is refused and left as it is', async () => {
  const dataDir = newDataDir()
  mkdirSync(dataDir, { recursive: true })
  const garbage = 'this is no database '.repeat(500)
  writeFileSync(join(dataDir, 'clientele.db'), garbage)
  writeFileSync(join(dataDir, 'encryption-key'), Buffer.alloc(32, 7).toString('base64url'), { mode: 0o600 })
  const refused = launch([], { CLIENTELE_DATA_DIR: dataDir, CLIENTELE_PORT: '0' })
  assert.is(await refused.exited, 1)
  assert.is(readFileSync(join(dataDir, 'clientele.db'), 'utf8'), garbage)
  discard(dataDir)
})

processTests('health: live, ready, and neither on the public port when there is a management port', async () => {
  const service = await startService()
  assert.is((await send(service, '/health/live')).status, 200)
  assert.is((await send(service, '/health/ready')).status, 200)
  await service.stop()
  const apart = await startService({ CLIENTELE_MANAGEMENT_PORT: '0' }, service.dataDir)
  assert.is((await send(apart, '/health/live')).status, 404)
  await apart.stop()
  discard(service.dataDir)
})

processTests('no secret stands in a log, at the level debug either', async () => {
  const service = await startService({ CLIENTELE_LOG_LEVEL: 'debug' })
  const { json } = await register(service)
  await send(service, '/clients', { token: String(json['registration_access_token']) })
  await service.stop()
  const { stdout, stderr } = service.output()
  assert.match(stderr, '/clients')
  for (const secret of [service.master, json['client_secret'], json['registration_access_token']])
    assert.not.match(stdout + stderr, String(secret))
  discard(service.dataDir)
})

processTests.run()
