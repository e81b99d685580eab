import { defaultKeySettings, settingsWithDefaults } from '@clientele/adapters-http/fetch'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/files.js'
import { hashToken } from '@clientele/adapters-jose/node'
import { httpSettings } from '../../src/config/listening.js'
import { keySettings } from '../../src/config/keys.js'

const settings = suite('HTTP settings')

settings('those of a host that sets nothing are those of the service that is told nothing', () => {
  const hash = hashToken('digest key')('master token')
  const loaded = loadConfig({ flags: { engine: 'none' }, environment: {}, readFile })
  assert.ok(E.isRight(loaded))
  assert.equal(defaultKeySettings, keySettings(loaded.right.config))
  for (const baseUrl of ['https://op.example', 'https://op.example/op', 'http://127.0.0.1:8080']) {
    const { registration, signInOpenerPolicy, answersWithWarnings, listsClientsPublicly, consoleUrl, ...others } =
      httpSettings(loaded.right.config, hash, baseUrl)
    assert.is(consoleUrl, `${baseUrl}/console`)
    // What a host leaves out counts as these values. It sends no requests, so that it restricts no addresses, reads no key
    // sets, and notifies no receiver on loopback.
    const { allowsAddress, readsKeySets, requiresIfMatch, lenient, isOnLoopback, ...compared } = registration
    assert.equal([readsKeySets, requiresIfMatch, lenient, answersWithWarnings], [false, false, false, false])
    assert.equal([signInOpenerPolicy, listsClientsPublicly], ['same-origin', true])
    assert.is(isOnLoopback, baseUrl.startsWith('http:'))
    assert.equal(settingsWithDefaults(baseUrl, hash), { ...others, registration: compared })
    assert.equal(
      ['1.1.1.1', '10.0.0.1'].map((address) => allowsAddress?.(address)),
      [true, false],
    )
  }
})

settings.run()
