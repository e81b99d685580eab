import { secondsAfter } from '@clientele/domain/kernel'
import { exampleTime } from '@clientele/testing'
import type { RequestListener } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClientLogos } from '../src/client-logos.js'
import type { OutboundOptions } from '../src/outbound-options.js'
import { lenient } from './support/fetched.js'
import { withHttps } from './support/test-server.js'

const Logos = suite('the logos of applications')

// Of one pixel; the second is another one.
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const gif = 'R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=='

type World = {
  readonly find: (path?: string) => Promise<string | undefined>
  readonly clock: { now: typeof exampleTime }
  readonly requested: ReadonlyArray<string>
  readonly failures: ReadonlyArray<string>
}

const withHost = (
  listener: RequestListener,
  use: (world: World) => Promise<void>,
  options: Partial<OutboundOptions> = {},
): Promise<void> => {
  const requested: Array<string> = []
  const failures: Array<string> = []
  const clock = { now: exampleTime }
  const { findLogo } = createClientLogos({
    ...lenient,
    ...options,
    now: () => clock.now,
    onFailure: (_uri, reason) => void failures.push(reason),
  })
  const counted: RequestListener = (request, response) => {
    requested.push(request.url ?? '')
    listener(request, response)
  }
  return withHttps(counted, ({ port }) => {
    const find = (path = '/logo') => findLogo(`https://sector.example:${port}${path}`)()
    return use({ find, clock, requested, failures })
  })
}

Logos('are fetched once a day, and shared, whatever the server says of their type', () => {
  const served = { picture: png }
  return withHost(
    (_request, response) => {
      response.setHeader('Content-Type', 'text/html').end(Buffer.from(served.picture, 'base64'))
    },
    async ({ find, clock, requested }) => {
      const shown = `data:image/png;base64,${png}`
      assert.equal(await Promise.all([find(), find(), find()]), [shown, shown, shown])
      // What changes at the URL after it was seen is not shown before the next day.
      served.picture = gif
      clock.now = secondsAfter(exampleTime, 86_399)
      assert.is(await find(), shown)
      assert.is(requested.length, 1)
      clock.now = secondsAfter(exampleTime, 86_400)
      assert.is(await find(), `data:image/gif;base64,${gif}`)
    },
  )
})

const refused: ReadonlyArray<readonly [string, RequestListener, RegExp]> = [
  [
    'SVG',
    (_request, response) =>
      void response.setHeader('Content-Type', 'image/png').end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    /^the picture is no PNG/,
  ],
  [
    'a redirect',
    (_request, response) => void response.writeHead(302, { Location: '/other' }).end(),
    /^the status is 302/,
  ],
  [
    'not found',
    (_request, response) => void response.writeHead(404).end(Buffer.from(png, 'base64')),
    /^the status is 404/,
  ],
  [
    '10 MB',
    (_request, response) => {
      response.write(Buffer.from(png, 'base64'))
      response.end(Buffer.alloc(10_000_000))
    },
    /^the body is too large/,
  ],
  [
    'compressed',
    (_request, response) => void response.setHeader('Content-Encoding', 'gzip').end(Buffer.from(png, 'base64')),
    /Content-Encoding/,
  ],
]
for (const [name, listener, reason] of refused)
  Logos(`${name}: nothing is shown, and it is not asked for again for ten minutes`, () =>
    withHost(listener, async ({ find, clock, requested, failures }) => {
      assert.equal([await find(), await find()], [undefined, undefined])
      assert.is(requested.length, 1)
      assert.match(failures[0] ?? '', reason)
      clock.now = secondsAfter(exampleTime, 600)
      await find()
      assert.is(requested.length, 2)
    }),
  )

Logos('what is no URL for a request has no picture', async () => {
  const { findLogo } = createClientLogos({ ...lenient, now: () => exampleTime, onFailure: () => undefined })
  for (const uri of ['https://xn--a/logo.png', 'https://', '', 'logo.png']) assert.is(await findLogo(uri)(), undefined)
})

Logos('a host that drips costs a page the time limit at most', () => {
  return withHost(
    (_request, response) => {
      const timer = setInterval(() => response.write('a'), 20)
      response.on('close', () => clearInterval(timer))
    },
    async ({ find, failures }) => {
      assert.is(await find(), undefined)
      assert.equal(failures, ['no answer within 200 ms'])
    },
    { timeLimit: 200 },
  )
})

Logos('of many at one host, 30 are requested in a minute', () =>
  withHost(
    (_request, response) => void response.end(Buffer.from(png, 'base64')),
    async ({ find, requested, failures }) => {
      for (let index = 0; index < 40; index += 1) await find(`/${String(index)}`)
      assert.is(requested.length, 30)
      assert.match(failures[0] ?? '', 'too many requests for logos')
    },
  ),
)

Logos.run()
