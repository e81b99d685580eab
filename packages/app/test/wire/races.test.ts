import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationOf, issueToken, redirect_uris, register, send, type Answer } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const races = suite<{ service: Service; expiring: Service }>('races')

races.before(async (context) => {
  context.service = await startService()
  context.expiring = await startService({ CLIENTELE_CLIENT_SECRET_LIFETIME: '5' })
})
races.after(async ({ service, expiring }) => {
  for (const each of [service, expiring]) {
    await each.stop()
    discard(each.dataDir)
  }
})

const together = <Result>(count: number, run: (index: number) => Promise<Result>): Promise<ReadonlyArray<Result>> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

const statuses = (answers: ReadonlyArray<Answer>): ReadonlyArray<number> => answers.map(({ status }) => status).sort()

races('50 parallel registrations with one initial access token make exactly one client', async ({ service }) => {
  const token = await issueToken(service, 'client-reg')
  const client_name = 'Raced'
  const answers = await together(50, () => register(service, { redirect_uris, client_name }, token))
  assert.equal(statuses(answers), [200, ...Array<number>(49).fill(401)])
  const all = JSON.parse((await send(service, '/clients', { token: service.master })).text)
  assert.is(all.filter((client: { client_name?: string }) => client.client_name === client_name).length, 1)
})

races('50 parallel registrations of one preferred_client_id make exactly one client', async ({ service }) => {
  const answers = await together(50, () => register(service, { redirect_uris, preferred_client_id: 'raced' }))
  assert.equal(statuses(answers), [200, ...Array<number>(49).fill(400)])
})

races(
  'of 2 parallel updates with one registration access token, the token of one answer opens the client, and ends the other',
  async ({ service }) => {
    for (let round = 0; round < 10; round += 1) {
      const { path, token } = configurationOf(await register(service))
      const put = (index: number): Promise<Answer> =>
        send(service, path, { method: 'PUT', token, json: { redirect_uris, client_name: `Winner ${index}` } })
      const answers = await together(2, put)
      assert.equal(statuses(answers), [200, 200])
      const read = async (answer: Answer): Promise<Answer> => send(service, path, configurationOf(answer))
      const [one, other] = await Promise.all(answers.map(read))
      assert.equal(statuses([one, other].flatMap((each) => each ?? [])), [200, 401])
      const [last] = answers.filter((_, index) => [one, other][index]?.status === 200)
      assert.equal([one, other].find((each) => each?.status === 200)?.json, last?.json)
      assert.is((await send(service, path, { token })).status, 401)
    }
  },
)

races('of 200 parallel updates by the master token each is answered 200', async ({ service }) => {
  const { path } = configurationOf(await register(service))
  const put = (index: number): Promise<Answer> =>
    send(service, path, { method: 'PUT', token: service.master, json: { redirect_uris, client_name: `N ${index}` } })
  assert.equal(statuses(await together(200, put)), Array<number>(200).fill(200))
})

races(
  'of 110 clients that join one session at once 100 are answered 200, and 10 are told that it is full',
  async ({ service }) => {
    const { json } = await send(service, '/sessions', { method: 'POST', token: service.master, json: { sub: 'alice' } })
    const ids = (await together(110, () => register(service))).map((answer) => answer.json['client_id'])
    const join = (index: number): Promise<Answer> =>
      send(service, `/sessions/${String(json['sid'])}/clients`, {
        method: 'POST',
        token: service.master,
        json: { client_id: ids[index] },
      })
    assert.equal(statuses(await together(110, join)), [...Array<number>(100).fill(200), ...Array<number>(10).fill(409)])
  },
)

races('the master token removes a client that is updated all the time', async ({ service }) => {
  const { path } = configurationOf(await register(service))
  const put = (): Promise<Answer> =>
    send(service, path, { method: 'PUT', token: service.master, json: { redirect_uris } })
  const storm = together(100, put)
  assert.is((await send(service, path, { method: 'DELETE', token: service.master })).status, 204)
  for (const { status } of await storm) assert.ok([200, 404].includes(status), String(status))
})

races('of 2 parallel deletions one is 204 and the other 401', async ({ service }) => {
  const { path, token } = configurationOf(await register(service))
  assert.equal(statuses(await together(2, () => send(service, path, { method: 'DELETE', token }))), [204, 401])
})

races('a deletion that races an update leaves no resurrected client', async ({ service }) => {
  for (let round = 0; round < 10; round += 1) {
    const { path, token } = configurationOf(await register(service))
    const [deleted, updated] = await Promise.all([
      send(service, path, { method: 'DELETE', token }),
      send(service, path, { method: 'PUT', token, json: { redirect_uris } }),
    ])
    assert.equal([deleted.status, updated.status].includes(401), true)
    const after = await send(service, path, { token: service.master })
    assert.is(after.status, deleted.status === 204 ? 404 : 200)
  }
})

races('parallel reads of an expired secret answer with one new secret', async ({ expiring }) => {
  const registered = await register(expiring)
  const { path, token } = configurationOf(registered)
  await new Promise((resolve) => setTimeout(resolve, 6_100))
  const answers = await together(20, () => send(expiring, path, { token }))
  assert.equal([...new Set(statuses(answers))], [200])
  const secrets = new Set(answers.map(({ json }) => json['client_secret']))
  assert.is(secrets.size, 1)
  assert.not(secrets.has(registered.json['client_secret']))
})

races.run()
