import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { shownApplication } from '../../src/logout/confirm.js'
import { clientOf, humanReadableText, law, leftClient, urisOf } from '@clientele/testing'

const Shown = suite('how an application is shown')
const it = law(Shown)

it(
  'a host is shown, and nothing of a URI that can be chosen freely',
  [leftClient(), humanReadableText()],
  (client, name) => {
    for (const uri of urisOf(client)) {
      const { host } = shownApplication('en')(clientOf('shop', { client_name: name }), uri)
      const { protocol, host: known } = new URL(uri)
      if (protocol === 'http:' || protocol === 'https:')
        assert.is(host.replace(/:(?:80|443)$/, ''), known.replace(/:(?:80|443)$/, ''))
      else assert.is(host, protocol)
    }
  },
)

it('a name is shown as it is registered, or none', [fc.option(humanReadableText(), { nil: undefined })], (name) => {
  const client = clientOf('shop', name === undefined ? {} : { client_name: name })
  assert.is(shownApplication('fr')(client, 'https://rp.example/out').name, name)
})

Shown('the name is that of the language, else the one without (RFC 7591 §2.2)', () => {
  const client = clientOf('shop', { client_name: 'Shop', 'client_name#ja-Jpan-JP': '店', 'client_name#fr': 'Boutique' })
  for (const [language, name] of [
    ['en', 'Shop'],
    ['fr', 'Boutique'],
    ['fr-CA', 'Boutique'],
    ['FR', 'Boutique'],
    ['ja', '店'],
    ['f', 'Shop'],
    ['', 'Shop'],
  ] as const)
    assert.is(shownApplication(language)(client, 'https://rp.example/out').name, name, language)
})

Shown.run()
