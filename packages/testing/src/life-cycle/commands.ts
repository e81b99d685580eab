import type * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { SentMetadata } from '../arbitraries/json-values.js'
import { type Model, type ModelClient, isSubset, pick, tokenOf, useNewest } from './model.js'
import type { LifeCycleSubject, NotDone, ReportedClient } from './subject.js'

export type LifeCycleCommand = fc.AsyncCommand<Model, LifeCycleSubject>

type Run = (model: Model, subject: LifeCycleSubject) => Promise<void>

export const scopeOfGrant: Readonly<Record<string, string>> = {
  authorization_code: 'client-reg:grant:code',
  refresh_token: 'client-reg:grant:refresh',
  password: 'client-reg:grant:password',
  client_credentials: 'client-reg:grant:client',
}

const command = (name: string, check: (model: Model) => boolean, run: Run): LifeCycleCommand => ({
  check,
  run,
  toString: () => name,
})

const always = (): boolean => true
const hasTokens = ({ tokens }: Model): boolean => tokens.length > 0
const hasClients = ({ clients }: Model): boolean => clients.size > 0

const bodyWith = (grant_types: ReadonlyArray<string>, client_name: string): SentMetadata => ({
  redirect_uris: ['https://rp.example/callback'],
  grant_types,
  client_name,
})

type PrecededClient = ModelClient & { readonly preceding: NonNullable<ModelClient['preceding']> }
const isPreceded = (client: ModelClient): client is PrecededClient => client.preceding !== undefined

/** Seconds until a client secret expires, and in which the token of an update stays valid. */
export type Lifetimes = { readonly secretLifetime: number; readonly grace: number }

const granted = (answer: ReportedClient | NotDone): ReportedClient => {
  if (typeof answer === 'string') throw new Error(`it was ${answer}`)
  return answer
}

const isNew = (client: ModelClient, reported: ReportedClient, member: string): void =>
  assert.is.not(reported[member], client.reported[member], `the same ${member} as before`)

export const issue = (grants: ReadonlyArray<string>, lifetime: number): LifeCycleCommand =>
  command(`issue(${grants.join()}; ${lifetime})`, always, async (model, subject) => {
    const token = await subject.issueToken(grants.map((grant) => scopeOfGrant[grant]).join(' '), lifetime)
    model.tokens.push({ token, grants, expires: model.elapsed + lifetime, consumed: false })
  })

/** RFC 7591 §3: a token registers at most one client, before it expires, with the privileges of its scope. */
export const register = (
  { choice, unspent }: { readonly choice: number; readonly unspent: boolean },
  grants: ReadonlyArray<string>,
  name: string,
  secretLifetime: number,
): LifeCycleCommand =>
  command(
    `register(${choice}${unspent ? ' of the unspent' : ''}; ${grants.join()}; ${name})`,
    hasTokens,
    async (model, subject) => {
      const usable = model.tokens.filter(({ consumed }) => !(unspent && consumed))
      const used = pick(usable.length === 0 ? model.tokens : usable, choice)
      const answer = await subject.register(used.token, bodyWith(grants, name))
      if (used.consumed || model.elapsed >= used.expires) return assert.is(answer, 'unauthorized')
      if (!isSubset(grants, used.grants)) return assert.is(answer, 'forbidden')
      const reported = granted(answer)
      const id = String(reported['client_id'])
      assert.not(model.clients.has(id), `the client_id ${id} is given twice`)
      used.consumed = true
      const secretExpires = model.elapsed + secretLifetime
      model.clients.set(id, { id, reported, allowed: used.grants, secretExpires, oldTokens: [], preceding: undefined })
    },
  )

/** RFC 7592 §2.1: the client as last returned; only an expired secret is renewed. */
export const read = (choice: number, secretLifetime: number): LifeCycleCommand =>
  command(`read(${choice})`, hasClients, async (model, subject) => {
    const client = pick([...model.clients.values()], choice)
    const reported = granted(await subject.read(client.id, tokenOf(client)))
    useNewest(client)
    if (model.elapsed < client.secretExpires) return assert.equal(reported, client.reported)
    isNew(client, reported, 'client_secret')
    client.reported = reported
    client.secretExpires = model.elapsed + secretLifetime
  })

/** RFC 7592 §2.2: with the privileges of the registration, as sent, with new credentials. */
export const update = (
  choice: number,
  grants: ReadonlyArray<string>,
  name: string,
  { secretLifetime, grace }: Lifetimes,
): LifeCycleCommand =>
  command(`update(${choice}; ${grants.join()}; ${name})`, hasClients, async (model, subject) => {
    const client = pick([...model.clients.values()], choice)
    const answer = await subject.update(client.id, tokenOf(client), bodyWith(grants, name))
    if (!isSubset(grants, client.allowed)) return assert.is(answer, 'forbidden')
    const reported = granted(answer)
    assert.equal([reported['grant_types'], reported['client_name']], [grants, name])
    for (const credential of ['client_secret', 'registration_access_token']) isNew(client, reported, credential)
    useNewest(client)
    if (grace === 0) client.oldTokens.push(tokenOf(client))
    else client.preceding = { token: tokenOf(client), until: model.elapsed + grace }
    client.reported = reported
    client.secretExpires = model.elapsed + secretLifetime
  })

/** RFC 7592 §2.2: the answer of the last update was lost. In its grace the client updates again, and the lost token is dead. */
export const updateAgain = (choice: number, name: string, secretLifetime: number): LifeCycleCommand =>
  command(
    `updateAgain(${choice}; ${name})`,
    ({ clients }) => [...clients.values()].some(({ preceding }) => preceding !== undefined),
    async (model, subject) => {
      const client = pick([...model.clients.values()].filter(isPreceded), choice)
      const [grant = ''] = client.allowed
      const answer = await subject.update(client.id, client.preceding.token, bodyWith([grant], name))
      if (model.elapsed >= client.preceding.until) return assert.is(answer, 'unauthorized')
      const reported = granted(answer)
      isNew(client, reported, 'registration_access_token')
      client.oldTokens.push(tokenOf(client))
      client.reported = reported
      client.secretExpires = model.elapsed + secretLifetime
    },
  )

/** RFC 7592 §2: neither a replaced token nor the token of another client authorizes a request. */
export const knockWithOtherTokens = (choice: number): LifeCycleCommand =>
  command(`knockWithOtherTokens(${choice})`, hasClients, async (model, subject) => {
    const clients = [...model.clients.values()]
    const client = pick(clients, choice)
    const others = clients.filter(({ id }) => id !== client.id).map(tokenOf)
    for (const token of [...client.oldTokens.slice(-2), ...others.slice(0, 1)])
      assert.is(await subject.read(client.id, token), 'unauthorized')
  })

/** RFC 7592 §2.3: the client and its token are removed permanently. */
export const remove = (choice: number): LifeCycleCommand =>
  command(`remove(${choice})`, hasClients, async (model, subject) => {
    const client = pick([...model.clients.values()], choice)
    assert.is(await subject.remove(client.id, tokenOf(client)), 'removed')
    assert.is(await subject.read(client.id, tokenOf(client)), 'unauthorized')
    model.clients.delete(client.id)
  })

export const list = (): LifeCycleCommand =>
  command('list', always, async (model, subject) =>
    assert.equal(
      await subject.list(),
      [...model.clients.values()].map(({ reported }) => reported),
    ),
  )

export const pass = (seconds: number): LifeCycleCommand =>
  command(`pass(${seconds})`, always, async (model, subject) => {
    await subject.pass(seconds)
    model.elapsed += seconds
  })
