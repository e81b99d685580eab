import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { logoutToken } from '../../src/logout/notifications.js'
import { exampleNotification, exampleTime, law } from '@clientele/testing'

const Token = suite('logoutToken')

Token('it tells the client of the logout, and nothing else (Back-Channel Logout §2.4)', () => {
  const notification = exampleNotification('the notice', 'shop')
  assert.equal(logoutToken({ retention: 86_400 }, { ...notification, alg: 'ES256' }, 'fresh', exampleTime), {
    alg: 'ES256',
    typ: 'logout+jwt',
    claims: {
      aud: 'shop',
      jti: 'fresh',
      sub: notification.sub,
      sid: notification.sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    },
    expiresAt: exampleTime + 120,
  })
})

law(Token)(
  'it expires within two minutes, and never later than a key of the operator may sign for',
  [fc.integer({ min: 1, max: 1_000 })],
  (retention) => {
    const { expiresAt } = logoutToken({ retention }, exampleNotification('the notice', 'shop'), 'fresh', exampleTime)
    return expiresAt - exampleTime === Math.min(120, retention)
  },
)

Token.run()
