// Interactions of an authorization server in memory: each belongs to one browser, and is answered once.
import { ClientId } from '@clientele/domain/client'
import { Subject } from '@clientele/domain/logout'
import { documentPolicy } from '@clientele/domain/policy'
import {
  type EndUserLogin,
  type Interaction,
  type InteractionAnswer,
  type Interactions,
  interactionGone,
} from '@clientele/domain/ports'
import { noConsentPolicy } from '@clientele/domain/provider'
import type { RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { HttpPorts, SignInPorts } from '../../src/ports.js'
import { type World, at, createWorld } from './in-memory-ports.js'
import { registered } from './registered.js'

export const subjectOf = (text: string): Subject => {
  if (!Subject.is(text)) throw new Error(`not a subject: ${text}`)
  return text
}

export const alice = subjectOf('alice')
/** The Cookie field of the browser to which the interactions belong. */
export const browser = 'engine=browser-1'
export const onward = 'https://op.example/authorize/interaction-1'

export const endUser = { sub: alice, claims: { name: 'Alice Nordmann', email: 'alice@op.example' }, auth_time: at }

export const developmentLogin = (requested: Array<string> = []): EndUserLogin => ({
  kind: 'development',
  listAccounts: TE.right([{ username: 'alice', claims: {} }]),
  check: ({ username, password }) => {
    requested.push(username)
    return username === 'alice' && password === 'right'
      ? TE.right({ endUser })
      : TE.left({ error: 'login_refused', reason: 'wrong_password' })
  },
})

export type SignInWorld = {
  readonly world: World
  readonly client: RegisteredClient
  readonly ports: SignInPorts
  readonly httpPorts: HttpPorts
  /** In the order in which they came. */
  readonly answers: ReadonlyArray<InteractionAnswer>
  readonly waitFor: (given: Partial<Interaction>) => void
}

const clientIn = async (world: World): Promise<RegisteredClient> => {
  const { id } = await registered(world, { client_name: 'Nordlicht Shop' })
  if (!ClientId.is(id)) throw new Error('not a client_id')
  const found = await world.service.findClient(id)()
  if (E.isLeft(found) || O.isNone(found.right)) throw new Error('the client was not registered')
  return found.right.value
}

/** An interaction `interaction-1` of the browser, which waits for a login until it is answered. */
export const createSignIn = async (given: Partial<SignInPorts> = {}): Promise<SignInWorld> => {
  const world = createWorld()
  const client = await clientIn(world)
  const answers: Array<InteractionAnswer> = []
  const first: Interaction = {
    id: 'interaction-1',
    prompt: 'login',
    client,
    redirectUri: 'https://rp.example/callback',
    scope: ['openid', 'email'],
    resources: {},
  }
  const waiting = new Map([[first.id, first]])
  const find: Interactions['findInteraction'] = (id, { cookie }) =>
    TE.fromNullable(interactionGone)(cookie?.includes(browser) === true ? waiting.get(id) : undefined)
  const ports: SignInPorts = {
    ...world.service,
    ...world.store.artefacts,
    ...world.store.consents,
    findInteraction: find,
    answerInteraction: (id, cookies, answer) =>
      TE.flatMap((found: Interaction) => {
        waiting.delete(found.id)
        answers.push(answer)
        return TE.right({ location: onward, setCookies: ['engine=next; Path=/', 'clientele-session=s; Path=/'] })
      })(find(id, cookies)),
    findEndUserClaims: () => TE.right(O.some(endUser.claims)),
    login: developmentLogin(),
    consentPolicy: () => noConsentPolicy,
    documentPolicy: () => documentPolicy(),
    findLogo: () => () => Promise.resolve(undefined),
    ...given,
  }
  return {
    world,
    client,
    ports,
    httpPorts: { ...world, signIn: ports },
    answers,
    waitFor: (changed) => void waiting.set(first.id, { ...first, ...waiting.get(first.id), ...changed }),
  }
}
