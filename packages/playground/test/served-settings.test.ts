import { noPolicy } from '@clientele/domain/policy'
import { ceilings, exampleId, law, registrationMode } from '@clientele/testing'
import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { firstState } from '../src/examples.js'
import { pageFile, policyIn } from '../src/index.js'
import { type ServedSettings, defaultSettings, readSettings, withSettings } from '../src/served-settings.js'
import { settingsText } from '../src/texts.js'
import { view } from '../src/view.js'

const Served = suite('the settings of the service that serves the page')
const it = law(Served)

const page = readFileSync(pageFile, 'utf8')

// The attribute as a browser reads it.
const contentIn = (html: string): string =>
  (/<meta name="registration-settings" content="([^"]*)"/.exec(html)?.[1] ?? '')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

const settings = (): fc.Arbitrary<ServedSettings> =>
  fc.record(
    {
      mode: registrationMode(),
      policy: fc.record(
        {
          allowed_redirect_hosts: fc.subarray(['rp.example', '*.rp.example']),
          required_members: fc.subarray(['tos_uri', 'client_name']),
          ceilings: ceilings(),
        },
        { noNullPrototype: true },
      ),
      outboundFetches: fc.boolean(),
      registrationStatus: fc.constantFrom(200, 201),
      lenient: fc.boolean(),
      isOnLoopback: fc.boolean(),
    },
    {
      noNullPrototype: true,
      requiredKeys: ['mode', 'policy', 'outboundFetches', 'registrationStatus'],
    },
  )

it('the page reads what the service tells', [settings()], (any) =>
  assert.equal(readSettings(contentIn(withSettings(page, any))), any),
)

it('nothing is read of any other text', [fc.oneof(fc.string(), fc.json())], (text) =>
  assert.is(readSettings(text), undefined),
)

it('nothing but the content of one element differs, whatever is told', [settings()], (any) => {
  const hostile = { ...any, mode: { kind: 'open' as const, scope: ['"><script>alert(1)</script>', "&quot;'$&"] } }
  const html = withSettings(page, hostile)
  assert.equal(readSettings(contentIn(html))?.mode, hostile.mode)
  assert.is(html.replace(/(<meta name="registration-settings" content=)"[^"]*"/, '$1""'), page)
  assert.is(policyIn(html), policyIn(page))
})

Served('how many clients there may be, and what is said of single ones, is not told', () => {
  const capped = {
    ...defaultSettings,
    policy: {
      ...noPolicy,
      maximum_clients: 4711,
      maximum_unused_open_clients: 815,
      clients: [{ client_id: exampleId('of-a-partner'), scope: ['internal'] }],
    },
  }
  assert.not.match(withSettings(page, capped), /maximum_(?:unused_open_)?clients":|4711|815|of-a-partner/)
})

Served('the policy decides, and a registration has the status that the service gives it', () => {
  const first = firstState('')
  assert.is(view(first).decision.status, 200)
  assert.is(view(first, { ...defaultSettings, registrationStatus: 201 }).decision.status, 201)
  const refused = view(first, { ...defaultSettings, policy: { ...noPolicy, allowed_redirect_hosts: ['rp.example'] } })
  assert.is(refused.decision.error, 'invalid_redirect_uri')
})

Served('the page begins with who may register there, and says by what it decides', () => {
  const open: ServedSettings = { ...defaultSettings, mode: { kind: 'open', scope: ['openid', 'email'] } }
  const { mode, openScope } = firstState('', open)
  assert.equal([mode, openScope], ['open', 'openid email'])
  assert.match(settingsText(open), 'policy of the service that it comes from, where registration is open')
  assert.match(settingsText(open), 'by its settings outbound-fetches and lenient, and by whether it is on loopback')
  assert.match(settingsText(undefined), 'by the defaults and without a registration policy')
})

Served.run()
