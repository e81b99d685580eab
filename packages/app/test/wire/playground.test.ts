import { pageFile } from '@clientele/playground'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const playground = suite<{ service: Service }>('the playground on the wire')

const path = '/playground'

playground.before(async (context) => {
  context.service = await startService({ CLIENTELE_MANAGEMENT_PORT: '0' })
})
playground.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

playground('on loopback it is there: the built page, whole, and what a browser may do with it', async ({ service }) => {
  const { status, headers, text } = await send(service, path)
  assert.is(status, 200)
  const element = /<meta name="registration-settings" content="([^"]*)"/
  assert.is(text.replace(element, element.source.replace('([^"]*)', '')), readFileSync(pageFile, 'utf8'))
  assert.match(element.exec(text)?.[1] ?? '', '&quot;mode&quot;:{&quot;kind&quot;:&quot;managed&quot;}')
  assert.is(headers.get('content-type'), 'text/html; charset=utf-8')
  assert.is(headers.get('x-content-type-options'), 'nosniff')
  assert.is(headers.get('cache-control'), 'public, max-age=0')
  assert.is(headers.get('x-frame-options'), 'DENY')
  assert.is(headers.get('cross-origin-opener-policy'), 'same-origin')
  assert.is(headers.get('referrer-policy'), 'no-referrer')
  assert.is(headers.get('access-control-allow-origin'), null)
  assert.is(headers.get('set-cookie'), null)
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; /)
  assert.match(policy, /; frame-ancestors 'none'$/)
  assert.ok(text.includes(`content="${policy.replace(/; frame-ancestors 'none'$/, '')}"`))
})

playground('whoever has it gets 304; HEAD has its headers; nothing else is allowed', async ({ service }) => {
  const get = await send(service, path)
  const etag = get.headers.get('etag') ?? ''
  const again = await send(service, path, { headers: { 'if-none-match': etag } })
  assert.equal([again.status, again.text, again.headers.get('etag')], [304, '', etag])
  const head = await send(service, path, { method: 'HEAD' })
  assert.equal([head.status, head.text], [200, ''])
  for (const name of ['content-length', 'content-type', 'content-security-policy'])
    assert.is(head.headers.get(name), get.headers.get(name), name)
  const post = await send(service, path, { method: 'POST', json: {} })
  assert.equal([post.status, post.headers.get('allow')], [405, 'GET, HEAD'])
})

playground('it is no part of what operators have on a port of their own', async ({ service }) => {
  const [, management = ''] = /^Health and metrics at (\S+)$/m.exec(service.output().stdout) ?? []
  assert.is((await send(service, `${management}/health/live`)).status, 200)
  assert.is((await send(service, `${management}${path}`)).status, 404)
})

const answered = async (settings: Readonly<Record<string, string>>, below = ''): Promise<number> => {
  const service = await startService(settings)
  // The local address, whatever the base URL is.
  const [, origin = ''] = /curl -sS (http:\/\/[^/]+)/.exec(service.output().stdout) ?? []
  const { status } = await send(service, `${origin}${below}${path}`)
  await service.stop()
  discard(service.dataDir)
  return status
}

const elsewhere = { CLIENTELE_BASE_URL: 'https://id.example.com/op' }
const below = '/op'

playground('off means off: where it is switched off, and where the base URL is not loopback', async () => {
  assert.is(await answered({ CLIENTELE_PLAYGROUND: 'false' }), 404)
  assert.is(await answered(elsewhere, below), 404)
})

playground('it is there where it is asked for, below the path of the base URL', async () => {
  assert.is(await answered({ ...elsewhere, CLIENTELE_PLAYGROUND: 'true' }, below), 200)
  assert.is(await answered({ ...elsewhere, CLIENTELE_PLAYGROUND: 'true' }), 404)
})

playground.run()
