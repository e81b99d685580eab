// Which clients learn what a token is: RFC 7662 §2.2 and §4.
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type World, find, masterToken, remove, startTwo, stopTwo } from '../support/two-services.js'
import { post } from '../cli/run.js'
import { Browser } from './support/browser.js'
import {
  type Application,
  confidential,
  configured,
  configuredAs,
  introspected,
  signIn,
} from './support/relying-party.js'

const introspection = suite<{ world: World }>('introspection')

const server = { ...confidential, preferred_client_id: 'a-resource-server' }

introspection.before(async (context) => {
  const flags = { engine: 'oidc-provider', 'registration-status': '201' }
  const named = `${server.preferred_client_id} not-there-yet`
  context.world = await startTwo({ ...flags, 'introspection-clients': named })
})
introspection.after(({ world }) => stopTwo(world))

const answers = (asking: Application, tokens: ReadonlyArray<string | undefined>): Promise<ReadonlyArray<unknown>> =>
  Promise.all(tokens.map((token) => introspected(asking, String(token))))

introspection('an application learns of its own tokens, and others that they are not active', async ({ world }) => {
  const { one } = world
  const application = await configured(one, confidential)
  const other = await configured(one, confidential)
  const resourceServer = await configured(one, server)
  const { tokens } = await signIn(one, application, new Browser())
  const own = await client.clientCredentialsGrant(application.config)
  const all = [tokens.access_token, own.access_token, tokens.refresh_token]
  const activeFor = async (asking: Application) =>
    (await Promise.all(all.map((token) => introspected(asking, String(token))))).map(({ active }) => active)
  assert.equal(await activeFor(application), [true, true, true])
  assert.equal(await activeFor(resourceServer), [true, true, false])
  // RFC 7662 §2.2: the answer is that of an unknown token.
  const unknown = await introspected(other, 'unknown')
  assert.equal(await answers(other, all), [unknown, unknown, unknown])
})

introspection(
  'a client_id that the setting names is not there for whoever may preset one',
  async ({ world: { one } }) => {
    const issued = async (path: string, scope: string): Promise<string> => {
      const answer = await post(`${one.url}${path}`, masterToken, { scope })
      return ((await answer.json()) as { readonly access_token: string }).access_token
    }
    const own = await client.clientCredentialsGrant((await configured(one, confidential)).config)
    const taken = { ...server, preferred_client_id: 'not-there-yet' }
    for (const token of [
      await issued('/direct-authz', 'client-reg'),
      await issued('/operator-tokens', 'clients:write'),
    ]) {
      const other = await configuredAs(one, taken, token)
      assert.is((await introspected(other, own.access_token)).active, false)
      await remove(one, other.registered)
    }
    assert.is((await introspected(await configured(one, taken), own.access_token)).active, true)
  },
)

introspection('with *, each client that the master token registered is a resource server, and no other', async () => {
  const flags = { engine: 'oidc-provider', 'registration-status': '201', 'introspection-clients': '*' }
  const world = await startTwo(flags)
  try {
    const application = await configured(world.one, confidential)
    const resourceServer = await configured(world.one, confidential)
    const own = await client.clientCredentialsGrant(application.config)
    assert.is((await introspected(resourceServer, own.access_token)).active, true)
    const sent = { scope: 'clients:write', name: 'a portal' }
    const issued = await post(`${world.one.url}/operator-tokens`, masterToken, sent)
    const { access_token } = (await issued.json()) as { readonly access_token: string }
    const byOperatorToken = await configuredAs(world.one, confidential, access_token)
    const { registered_by } = await find(world.one, byOperatorToken.registered.client_id)
    assert.is(registered_by, 'operator_token')
    assert.is((await introspected(byOperatorToken, own.access_token)).active, false)
  } finally {
    await stopTwo(world)
  }
})

introspection.run()
