import { unaudited } from '@clientele/domain/operations'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operatorOfTheStore } from '../../src/authorization/credential.js'
import { describedByDocument, unknownClient } from '../../src/kernel/refusals.js'
import { inMemoryStore } from '@clientele/adapters-memory'
import {
  done,
  exampleClient,
  exampleId,
  exampleTime,
  exampleToken,
  issued,
  law,
  noPauses,
  oneSample,
  refused,
  registrationSettings,
  exampleOrigin,
  only,
  addition,
  noRow,
} from '@clientele/testing'
import { listInitialAccessTokens, revokeInitialAccessToken } from '../../src/operations/tokens.js'
import { renewCredentials } from '../../src/operations/change.js'
import { createTurns } from '../../src/operations/conflicts.js'

const Renew = suite('renewCredentials')
const Tokens = suite('initial access tokens in force')
const operator = operatorOfTheStore()
const generated = oneSample(issued())

const world = () => {
  const store = inMemoryStore()
  const ports = {
    ...store.registry,
    ...store.initialAccessTokens,
    ...createTurns(noPauses),
    now: () => exampleTime,
    issue: () => generated,
  }
  return { store, ports }
}

law(Renew)(
  'whatever updates keep, both credentials are renewed, and nothing else of the client changes',
  [registrationSettings()],
  async (settings) => {
    const { store, ports } = world()
    const client = exampleClient('a')
    await done(store.registry.addClient(addition(client)))
    const reported = await done(
      renewCredentials(settings, only({ ...unaudited, ...ports }))({ origin: exampleOrigin, operator, clientId: 'a' }),
    )
    const next = store.clients.get('a')
    assert.ok(next !== undefined)
    assert.is.not(next.secret?.client_secret, client.secret?.client_secret)
    assert.equal(next, {
      ...client,
      secret: next.secret,
      secret_created_at: generated.at,
      registration_access_token: generated.registration_access_token,
      version: 2,
    })
    assert.equal(
      [reported.client_secret, reported.registration_access_token],
      [next.secret?.client_secret, generated.registration_access_token.token],
    )
  },
)

Renew('a client without a secret gets none', async () => {
  const { store, ports } = world()
  await done(store.registry.addClient(addition({ ...exampleClient('a'), secret: undefined })))
  const reported = await done(
    renewCredentials(
      oneSample(registrationSettings()),
      only({ ...unaudited, ...ports }),
    )({
      origin: exampleOrigin,
      operator,
      clientId: 'a',
    }),
  )
  assert.not.ok('client_secret' in reported)
})

Renew('an unknown client is told as such, and so is what cannot be an identifier', async () => {
  const { ports } = world()
  for (const clientId of ['never', '', '..'])
    assert.equal(
      await refused(
        renewCredentials(
          oneSample(registrationSettings()),
          only({ ...unaudited, ...ports }),
        )({
          origin: exampleOrigin,
          operator,
          clientId,
        }),
      ),
      unknownClient,
    )
})

Renew('a client with a document is not called unknown: its document describes it', async () => {
  const { store, ports } = world()
  const clientId = 'https://app.example.com/client'
  await done(store.registry.addClient(addition({ ...exampleClient('a'), client_id: exampleId(clientId) })))
  assert.equal(
    await refused(
      renewCredentials(
        oneSample(registrationSettings()),
        only({ ...unaudited, ...ports }),
      )({ origin: exampleOrigin, operator, clientId }),
    ),
    describedByDocument,
  )
})

Tokens('those in force are listed without the tokens, and one that is revoked is gone', async () => {
  const { store, ports } = world()
  const tokens = [exampleToken('one'), exampleToken('other')]
  for (const token of tokens) await done(store.initialAccessTokens.addInitialAccessToken(token, exampleTime, noRow))
  const list = () => done(listInitialAccessTokens(ports)(operator))
  const [first, second] = tokens.map(({ hash, scope, expires_at }) => ({
    id: hash,
    scope,
    expires_at,
    expires_in: expires_at - exampleTime,
  }))
  assert.equal(await list(), { tokens: [first, second], more: false })
  await done(
    revokeInitialAccessToken({ ...unaudited, ...ports })({ origin: exampleOrigin, operator, id: String(first?.id) }),
  )
  assert.equal(await list(), { tokens: [second], more: false })
  for (const id of [String(first?.id), 'nonsense', ''])
    assert.is(
      (await refused(revokeInitialAccessToken({ ...unaudited, ...ports })({ origin: exampleOrigin, operator, id })))
        .error,
      'unknown_initial_access_token',
    )
})

Renew.run()
Tokens.run()
