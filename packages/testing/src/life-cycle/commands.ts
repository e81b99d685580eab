import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { SentMetadata } from '../arbitraries/json-values.js'

/** The returned client information: RFC 7591 §3.2.1. */
export type ReportedClient = Readonly<Record<string, unknown>>

/** The status of a refusal: 401, and 403. */
export type NotDone = 'unauthorized' | 'forbidden'

/**
 * The subject of a life cycle: a registry of clients, through any interface. It is empty at the start, registers with
 * an initial access token only, and renews the secret and the registration access token of a client with each update.
 */
export type LifeCycleSubject = {
  /** Issues an initial access token for the scope, with a lifetime in seconds. */
  readonly issueToken: (scope: string, lifetime: number) => Promise<string>
  readonly register: (initialAccessToken: string, body: SentMetadata) => Promise<ReportedClient | NotDone>
  readonly read: (id: string, registrationAccessToken: string) => Promise<ReportedClient | NotDone>
  readonly update: (
    id: string,
    registrationAccessToken: string,
    body: SentMetadata,
  ) => Promise<ReportedClient | NotDone>
  readonly remove: (id: string, registrationAccessToken: string) => Promise<'removed' | NotDone>
  /** All clients, in the order of their registration. */
  readonly list: () => Promise<ReadonlyArray<ReportedClient>>
  /** Advances the clock of the subject by so many seconds. */
  readonly pass: (seconds: number) => Promise<void>
}

// The expected state, as simple as possible: the tokens and the clients.
type ModelToken = {
  readonly token: string
  readonly grants: ReadonlyArray<string>
  readonly expires: number
  consumed: boolean
}

type ModelClient = {
  readonly id: string
  /** The grants of the token that it was registered with. */
  readonly allowed: ReadonlyArray<string>
  readonly oldTokens: Array<string>
  /** The token before the newest one, until that is used. */
  preceding: { readonly token: string; readonly until: number } | undefined
  reported: ReportedClient
  secretExpires: number
}

type Model = {
  elapsed: number
  readonly tokens: Array<ModelToken>
  readonly clients: Map<string, ModelClient>
}

const nothingYet = (): Model => ({ elapsed: 0, tokens: [], clients: new Map() })

const tokenOf = ({ reported }: ModelClient): string => String(reported['registration_access_token'])

/** From the first use of the newest token on, the one before it is an old one. */
const useNewest = (client: ModelClient): void => {
  if (client.preceding !== undefined) client.oldTokens.push(client.preceding.token)
  client.preceding = undefined
}

const isSubset = (requested: ReadonlyArray<string>, allowed: ReadonlyArray<string>): boolean =>
  requested.every((grant) => allowed.includes(grant))

const pick = <Item>(items: ReadonlyArray<Item>, choice: number): Item => {
  const item = items[choice % items.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

type LifeCycleCommand = fc.AsyncCommand<Model, LifeCycleSubject>

type Run = (model: Model, subject: LifeCycleSubject) => Promise<void>

const scopeOfGrant: Readonly<Record<string, string>> = {
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
type Lifetimes = { readonly secretLifetime: number; readonly grace: number }

const granted = (answer: ReportedClient | NotDone): ReportedClient => {
  if (typeof answer === 'string') throw new Error(`it was ${answer}`)
  return answer
}

const isNew = (client: ModelClient, reported: ReportedClient, member: string): void =>
  assert.is.not(reported[member], client.reported[member], `the same ${member} as before`)

const issue = (grants: ReadonlyArray<string>, lifetime: number): LifeCycleCommand =>
  command(`issue(${grants.join()}; ${lifetime})`, always, async (model, subject) => {
    const token = await subject.issueToken(grants.map((grant) => scopeOfGrant[grant]).join(' '), lifetime)
    model.tokens.push({ token, grants, expires: model.elapsed + lifetime, consumed: false })
  })

/** RFC 7591 §3: a token registers at most one client, before it expires, with the privileges of its scope. */
const register = (
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
const read = (choice: number, secretLifetime: number): LifeCycleCommand =>
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
const update = (
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
const updateAgain = (choice: number, name: string, secretLifetime: number): LifeCycleCommand =>
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
const knockWithOtherTokens = (choice: number): LifeCycleCommand =>
  command(`knockWithOtherTokens(${choice})`, hasClients, async (model, subject) => {
    const clients = [...model.clients.values()]
    const client = pick(clients, choice)
    const others = clients.filter(({ id }) => id !== client.id).map(tokenOf)
    for (const token of [...client.oldTokens.slice(-2), ...others.slice(0, 1)])
      assert.is(await subject.read(client.id, token), 'unauthorized')
  })

/** RFC 7592 §2.3: the client and its token are removed permanently. */
const remove = (choice: number): LifeCycleCommand =>
  command(`remove(${choice})`, hasClients, async (model, subject) => {
    const client = pick([...model.clients.values()], choice)
    assert.is(await subject.remove(client.id, tokenOf(client)), 'removed')
    assert.is(await subject.read(client.id, tokenOf(client)), 'unauthorized')
    model.clients.delete(client.id)
  })

const list = (): LifeCycleCommand =>
  command('list', always, async (model, subject) =>
    assert.equal(
      await subject.list(),
      [...model.clients.values()].map(({ reported }) => reported),
    ),
  )

const pass = (seconds: number): LifeCycleCommand =>
  command(`pass(${seconds})`, always, async (model, subject) => {
    await subject.pass(seconds)
    model.elapsed += seconds
  })

export type LifeCycleOptions = {
  /** Seconds after which a client secret expires. */
  readonly secretLifetime: number
  /** Seconds in which the registration access token of an update stays valid until the new one is used; none if left out. */
  readonly grace?: number
  /** Whether it runs concurrently with others in one registry: then it neither passes time nor lists clients. */
  readonly beside?: boolean
  readonly maxCommands?: number
}

// Every choice includes the first one, so that many requests are permitted.
const [first = '', ...further] = Object.keys(scopeOfGrant)
const grants = fc.subarray(further).map((some) => [first, ...some])
const few = fc.oneof({ weight: 3, arbitrary: fc.constant([first]) }, { weight: 1, arbitrary: grants })
const name = fc.stringMatching(/^[a-z]{1,8}$/)
const choice = fc.nat(20)

/**
 * The life cycle of a registry: tokens are issued, clients registered, read, updated, removed and listed, and time
 * passes.
 */
export const lifeCycleCommands = ({
  secretLifetime,
  grace = 0,
  beside = false,
  maxCommands = 60,
}: LifeCycleOptions): fc.Arbitrary<Iterable<LifeCycleCommand>> => {
  const registration = fc
    .tuple(fc.record({ choice, unspent: fc.boolean() }), few, name)
    .map(([token, requested, called]) => register(token, requested, called, secretLifetime))
  return fc.commands(
    [
      fc.tuple(grants, fc.integer({ min: 1, max: 3_000 })).map(([granted, lifetime]) => issue(granted, lifetime)),
      registration,
      // Twice, so that there are more clients.
      registration,
      choice.map((client) => read(client, secretLifetime)),
      fc
        .tuple(choice, grants, name)
        .map(([client, requested, called]) => update(client, requested, called, { secretLifetime, grace })),
      fc.tuple(choice, name).map(([client, called]) => updateAgain(client, called, secretLifetime)),
      choice.map(knockWithOtherTokens),
      choice.map(remove),
      ...(beside ? [] : [fc.constant(list()), fc.integer({ min: 1, max: 700 }).map(pass)]),
    ],
    // The default size of fast-check ends a sequence after ten commands, whatever the maximum is
    { maxCommands, size: 'max' },
  )
}

/** Runs one life cycle, and fails where the subject differs from the model. */
export const liveLifeCycle = (commands: Iterable<LifeCycleCommand>, subject: LifeCycleSubject): Promise<void> =>
  fc.asyncModelRun(() => ({ model: nothingYet(), real: subject }), commands)
