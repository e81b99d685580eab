// Logout tokens that are signed with the client_secret: Back-Channel Logout §2.4, OpenID Core §10.1.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clientOf, done, exampleClient, exampleNotification, exampleTime } from '@clientele/testing'
import { deliverNotifications } from '../../src/operations/notifications.js'
import { always, answered, deliverySettings, logoutWorld, type LogoutWorld } from '../support/logout-world.js'

const Deliver = suite('deliverNotifications by secret')

const stored = ({ pendingNotifications }: LogoutWorld) => done(pendingNotifications.listNotifications(1_000))

Deliver('where the client has no secret any more, what a secret would sign has failed at once', async () => {
  const world = logoutWorld(always(answered(200)))
  world.pendingNotifications.add({ ...exampleNotification('by secret', 'shop'), alg: 'HS256' })
  await done(deliverNotifications(deliverySettings(), world.ports))
  assert.equal(
    (await stored(world)).map(({ failed, note }) => [failed, note]),
    [[true, 'the client has no client_secret that signs with HS256 any more']],
  )
  assert.equal(world.sent, [])
})

Deliver('no secret of a client that was registered again signs what is owed to the one before it', async () => {
  const metadata = { id_token_signed_response_alg: 'HS256' } as const
  const later = { ...clientOf('shop', metadata), registration_id: exampleClient('shop', 'second').registration_id }
  for (const [client, signed] of [
    [clientOf('shop', metadata), true],
    [later, false],
  ] as const) {
    const world = logoutWorld(always(answered(200)))
    world.pendingNotifications.add({ ...exampleNotification('by secret', 'shop'), alg: 'HS256' })
    const secret = { client_secret: 's'.repeat(43), client_secret_expires_at: exampleTime }
    const ports = { ...world.ports, findClients: () => TE.right([E.right({ ...client, secret })]) }
    await done(deliverNotifications(deliverySettings(), ports))
    assert.equal(
      world.sent.map(({ token }) => token.secret),
      signed ? [secret.client_secret] : [],
    )
    assert.is((await stored(world)).length, signed ? 0 : 1)
  }
})

Deliver.run()
