import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Answer } from '../support/requests.js'
import { configurationOf, redirect_uris, send } from '../support/requests.js'
import type { TimedService } from '../support/timed-service.js'
import { startTimedService } from '../support/timed-service.js'

// The whole life cycle against a model that fits on a page: what a token may still do, and what each client is.
type ModelToken = {
  readonly token: string
  readonly grants: ReadonlyArray<string>
  readonly expires: number
  spent: boolean
}
type ModelClient = {
  last: Answer
  readonly grants: ReadonlyArray<string>
  secretExpires: number
  oldTokens: Array<string>
}
type Model = { readonly tokens: Array<ModelToken>; readonly clients: Map<string, ModelClient> }
type Real = { readonly service: TimedService }
type Command = fc.AsyncCommand<Model, Real>

const scopeOfGrant: Readonly<Record<string, string>> = {
  authorization_code: 'client-reg:grant:code',
  refresh_token: 'client-reg:grant:refresh',
  password: 'client-reg:grant:password',
  client_credentials: 'client-reg:grant:client',
}

const command = (
  name: string,
  check: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command => ({
  check,
  run,
  toString: () => name,
})

const pick = <Item>(items: ReadonlyArray<Item>, choice: number): Item => {
  const item = items[choice % items.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

const hasTokens = (model: Model): boolean => model.tokens.length > 0
const hasClients = (model: Model): boolean => model.clients.size > 0
const idOf = (answer: Answer): string => String(answer.json['client_id'])
const bodyWith = (grant_types: ReadonlyArray<string>, client_name: string): object => ({
  redirect_uris,
  grant_types,
  client_name,
})

const issue = (grants: ReadonlyArray<string>, lifetime: number): Command =>
  command(
    `issue(${grants.join()}; ${lifetime})`,
    () => true,
    async (model, { service }) => {
      const json = { scope: grants.map((grant) => scopeOfGrant[grant]).join(' '), lifetime }
      const answer = await send(service, '/direct-authz', { method: 'POST', token: service.master, json })
      assert.is(answer.status, 200)
      const expires = service.elapsed() + lifetime
      model.tokens.push({ token: String(answer.json['access_token']), grants, expires, spent: false })
    },
  )

const register = (choice: number, grants: ReadonlyArray<string>, name: string): Command =>
  command(`register(${choice}; ${grants.join()}; ${name})`, hasTokens, async (model, { service }) => {
    const used = pick(model.tokens, choice)
    const answer = await send(service, '/clients', { method: 'POST', token: used.token, json: bodyWith(grants, name) })
    if (used.spent || service.elapsed() >= used.expires) return assert.is(answer.status, 401)
    if (!grants.every((grant) => used.grants.includes(grant))) return assert.is(answer.status, 403)
    assert.is(answer.status, 200)
    used.spent = true
    const secretExpires = service.elapsed() + service.secretLifetime
    model.clients.set(idOf(answer), { last: answer, grants: used.grants, secretExpires, oldTokens: [] })
  })

const read = (choice: number): Command =>
  command(`read(${choice})`, hasClients, async (model, { service }) => {
    const [id, client] = pick([...model.clients], choice)
    const { path, token } = configurationOf(client.last)
    const answer = await send(service, path, { token })
    assert.is(answer.status, 200)
    if (service.elapsed() < client.secretExpires) return assert.equal(answer.json, client.last.json, id)
    assert.is.not(answer.json['client_secret'], client.last.json['client_secret'])
    client.last = answer
    client.secretExpires = service.elapsed() + service.secretLifetime
  })

const update = (choice: number, grants: ReadonlyArray<string>, name: string): Command =>
  command(`update(${choice}; ${grants.join()}; ${name})`, hasClients, async (model, { service }) => {
    const [, client] = pick([...model.clients], choice)
    const { path, token } = configurationOf(client.last)
    const answer = await send(service, path, { method: 'PUT', token, json: bodyWith(grants, name) })
    if (!grants.every((grant) => client.grants.includes(grant))) return assert.is(answer.status, 403)
    assert.is(answer.status, 200)
    assert.equal(answer.json['grant_types'], grants)
    assert.is(answer.json['client_name'], name)
    client.oldTokens.push(token)
    client.last = answer
    client.secretExpires = service.elapsed() + service.secretLifetime
  })

const knockWithOldTokens = (choice: number): Command =>
  command(`knockWithOldTokens(${choice})`, hasClients, async (model, { service }) => {
    const [, client] = pick([...model.clients], choice)
    const { path } = configurationOf(client.last)
    for (const token of client.oldTokens.slice(-2)) assert.is((await send(service, path, { token })).status, 401)
  })

const remove = (choice: number): Command =>
  command(`remove(${choice})`, hasClients, async (model, { service }) => {
    const [id, client] = pick([...model.clients], choice)
    const { path, token } = configurationOf(client.last)
    assert.is((await send(service, path, { method: 'DELETE', token })).status, 204)
    assert.is((await send(service, path, { token })).status, 401)
    model.clients.delete(id)
  })

const list = (): Command =>
  command(
    'list',
    () => true,
    async (model, { service }) => {
      const all: ReadonlyArray<{ client_id: string }> = JSON.parse(
        (await send(service, '/clients', { token: service.master })).text,
      )
      assert.equal(
        all,
        [...model.clients.values()].map(({ last }) => last.json),
      )
    },
  )

const pass = (seconds: number): Command =>
  command(
    `pass(${seconds})`,
    () => true,
    async (_, { service }) => service.pass(seconds),
  )

const grants = fc
  .subarray(Object.keys(scopeOfGrant), { minLength: 1 })
  .map((all) => ['authorization_code', ...all.filter((each) => each !== 'authorization_code')])
const name = fc.stringMatching(/^[a-z]{1,8}$/)
const choice = fc.nat(20)

const commands = fc.commands(
  [
    fc.tuple(grants, fc.integer({ min: 1, max: 3_000 })).map(([held, lifetime]) => issue(held, lifetime)),
    fc.tuple(choice, grants, name).map(([token, asked, called]) => register(token, asked, called)),
    fc.tuple(choice, grants, name).map(([token, asked, called]) => register(token, asked, called)),
    choice.map(read),
    fc.tuple(choice, grants, name).map(([client, asked, called]) => update(client, asked, called)),
    choice.map(knockWithOldTokens),
    choice.map(remove),
    fc.constant(null).map(list),
    fc.integer({ min: 1, max: 700 }).map(pass),
  ],
  { maxCommands: 60 },
)

const life = suite('life cycle against a model')
const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 40)

const fresh = (service: TimedService): { model: Model; real: Real } => ({
  model: { tokens: [], clients: new Map() },
  real: { service },
})

const emptied = async (service: TimedService): Promise<void> => {
  const all: ReadonlyArray<{ client_id: string }> = JSON.parse(
    (await send(service, '/clients', { token: service.master })).text,
  )
  for (const { client_id } of all)
    await send(service, `/clients/${client_id}`, { method: 'DELETE', token: service.master })
}

life('one after another: issue, register, read, update, delete, list, with expiry', async () => {
  const service = await startTimedService()
  try {
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        await emptied(service)
        await fc.asyncModelRun(() => fresh(service), sequence)
      }),
      { numRuns: Math.min(numRuns, 300) },
    )
  } finally {
    await service.stop()
  }
})

life('parallel clients: each sees its own life cycle as if alone', async () => {
  const service = await startTimedService()
  // Because the clock and the list are shared, parallel lives neither move the one nor compare the other.
  const shared = new Set(['list', 'pass'])
  const alone = (sequence: Iterable<Command>): ReadonlyArray<Command> =>
    [...sequence].filter((each) => !shared.has(String(each).replace(/\(.*/s, '')))
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(commands, { minLength: 2, maxLength: 8 }), (sequences) =>
        Promise.all(sequences.map((sequence) => fc.asyncModelRun(() => fresh(service), alone(sequence)))).then(
          () => undefined,
        ),
      ),
      { numRuns: Math.min(Math.ceil(numRuns / 4), 100) },
    )
  } finally {
    await service.stop()
  }
})

life.run()
