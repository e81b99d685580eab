import * as assert from 'uvu/assert'
import { suite } from 'uvu'
import { type ManagementPrivileges, issuerOf, operatorOfTheStore } from '@clientele/domain/authorization'
import { secondsAfter } from '@clientele/domain/kernel'
import { deleteClient, getClient, getClients, postClients, putClient } from '../support/handlers.js'
import { asking, membersOf, redirect_uris, textOf } from '../support/http-request.js'
import { type World, at, createWorld, hashToken, httpSettings, openRegistration } from '../support/in-memory-ports.js'
import { registered } from '../support/registered.js'
import { done, noRow } from '@clientele/testing'

const Credentials = suite('operator tokens and the credentials of clients')

const token = 'operator-token-of-the-test-0123456789'

const withToken = async (world: World, privileges: ManagementPrivileges): Promise<World> => {
  const times = { issued_at: at, expires_at: secondsAfter(at, 60) }
  const issued_by = issuerOf(operatorOfTheStore())
  await done(world.service.addOperatorToken({ hash: hashToken(token), privileges, ...times, issued_by }, at, noRow))
  return world
}

Credentials('clients:read lists and reads clients, without their credentials', async () => {
  const world = await withToken(createWorld(), ['clients:read'])
  const { id, secret, token: own } = await registered(world)
  const read = await asking(getClient, world)({ id, token })
  assert.is(read.status, 200)
  const members = membersOf(read)
  assert.equal([members['client_id'], members['client_secret_expires_at']], [id, 0])
  for (const name of ['client_secret', 'registration_access_token']) assert.not.ok(name in members)
  const list = await textOf(await asking(getClients, world)({ token }))
  assert.match(list, id)
  for (const each of [secret, own]) assert.not.ok(list.includes(each))
})

Credentials('with clients:secrets it reads them, too', async () => {
  const world = await withToken(createWorld(), ['clients:read', 'clients:secrets'])
  const { id, secret, token: own } = await registered(world)
  const members = membersOf(await asking(getClient, world)({ id, token }))
  assert.equal([members['client_secret'], members['registration_access_token']], [secret, own])
  const list = await textOf(await asking(getClients, world)({ token }))
  for (const each of [secret, own]) assert.ok(list.includes(each))
})

Credentials('a read that shows no secret renews none', async () => {
  const expiring = httpSettings()
  const { registration } = expiring
  const credentials = { ...registration.credentials, clientSecretLifetime: 1 }
  const settings = { ...expiring, registration: { ...registration, credentials } }
  for (const privileges of [['clients:read'], ['clients:read', 'clients:secrets']] as const) {
    const world = await withToken(createWorld(), privileges)
    const posted = await asking(
      postClients,
      world,
      settings,
    )({ token: 'master-token-of-the-test-0123456789', json: { redirect_uris } })
    const id = String(membersOf(posted)['client_id'])
    const later = { ...world, service: { ...world.service, now: () => secondsAfter(at, 10) } }
    assert.is((await asking(getClient, later, settings)({ id, token })).status, 200)
    const versions = [...world.store.clients.values()].map(({ version }) => version)
    assert.equal(versions, [privileges.length])
  }
})

Credentials('an operator token learns of an unknown client as the master token does, if it may read', async () => {
  const reader = await withToken(createWorld(), ['clients:read'])
  assert.is((await asking(getClient, reader)({ id: 'nobody', token })).status, 404)
  assert.is((await asking(deleteClient, reader)({ id: 'nobody', token })).status, 403)
  const writer = await withToken(createWorld(), ['clients:write'])
  assert.is((await asking(getClient, writer)({ id: 'nobody', token })).status, 403)
  assert.is((await asking(deleteClient, writer)({ id: 'nobody', token })).status, 404)
})

Credentials('clients:write registers any client; only with tokens one that registers others', async () => {
  const json = { redirect_uris, data: { team: 1 }, preferred_client_id: 'chosen' }
  for (const settings of [httpSettings(), httpSettings(openRegistration)]) {
    const world = await withToken(createWorld(), ['clients:write'])
    const post = asking(postClients, world, settings)
    const registeredBy = await post({ token, json })
    assert.is(registeredBy.status, 200)
    assert.ok('client_secret' in membersOf(registeredBy))
    const delegating = { grant_types: ['client_credentials'], scope: 'client-reg' }
    assert.is((await post({ token, json: delegating })).status, 403)
    const both = await withToken(createWorld(), ['clients:write', 'tokens'])
    assert.is((await asking(postClients, both, settings)({ token, json: delegating })).status, 200)
  }
})

Credentials('an update needs clients:secrets as well, because it answers with new credentials', async () => {
  const world = await withToken(createWorld(), ['clients:write'])
  const { id } = await registered(world)
  const refused = await asking(putClient, world)({ id, token, method: 'PUT', json: { redirect_uris } })
  assert.is(refused.status, 403)
  assert.match(refused.headers['WWW-Authenticate'] ?? '', /scope="clients:secrets"$/)
  const both = await withToken(createWorld(), ['clients:write', 'clients:secrets'])
  const client = await registered(both)
  const updated = await asking(putClient, both)({ id: client.id, token, method: 'PUT', json: { redirect_uris } })
  assert.is(updated.status, 200)
})

Credentials.run()
