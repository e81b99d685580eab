// kill -9 of the process between an authorization code and its tokens.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newDataDir } from '../support/service.js'
import { type Tokens, scope } from './support/journey.js'
import { openidClient6 } from './support/openid-client-6.js'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { type Provider, startProvider } from './support/provider.js'

const killed = suite('a process that is killed between a code and its tokens')

const restarted = async ({ service }: Provider, settings: Readonly<Record<string, string>>): Promise<Provider> => {
  await service.stop('SIGKILL')
  return startProvider(settings, service.dataDir)
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

killed('the code is good once, before or after the restart, and its tokens end with a second use', async () => {
  const settings = { CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true', CLIENTELE_PORT: String(await freePort()) }
  let provider = await startProvider(settings, newDataDir())
  const client = await openidClient6(provider)
  for (const delay of [undefined, 0, 3, 6, 12, 40]) {
    const { url, finish } = await client.begin({ scope })
    const { end } = await provider.endUser().visit(url)
    if (end === undefined) throw new Error('the browser does not go to the application')
    const got: Array<Tokens> = []
    const redeem = (): Promise<string> =>
      finish(end).then(
        (tokens) => {
          got.push(tokens)
          return 'tokens'
        },
        (cause: unknown) => (cause instanceof Error && 'error' in cause ? String(cause.error) : 'no answer'),
      )
    const inFlight = delay === undefined ? Promise.resolve('not sent') : redeem()
    if (delay !== undefined) await wait(delay)
    provider = await restarted(provider, settings)
    const before = await inFlight
    const after = await redeem()
    const again = await redeem()
    assert.is(again, 'invalid_grant')
    assert.ok(got.length <= 1, 'a code gives tokens twice')
    if (before === 'not sent') assert.is(after, 'tokens')
    // RFC 6749 §4.1.2: a code that is used twice takes its tokens with it
    for (const { access_token, refresh_token } of got)
      for (const token of [access_token, refresh_token]) assert.is(await provider.isActive(token), false)
  }
  await provider.stop()
})

killed.run()
