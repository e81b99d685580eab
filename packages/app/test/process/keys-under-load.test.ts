import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/service.js'

const load = suite('the key set under load')

const hasSigningKey = (text: string): boolean => /"use":"sig"/.test(text)

// A successor is always due one second after the signing key began to sign.
const quick = {
  CLIENTELE_SIGNING_ALGORITHMS: 'ES256,RS256',
  CLIENTELE_SIGNING_KEY_LIFETIME: '42',
  CLIENTELE_KEY_PUBLISH_AHEAD: '41',
  CLIENTELE_KEY_RETENTION: '1',
  CLIENTELE_JWKS_MAX_AGE: '1',
}

type Seen = { readonly bad: Array<string>; readonly sets: Set<string>; stopped: boolean }

const ask = async (service: Service, seen: Seen): Promise<void> => {
  while (!seen.stopped) {
    const { status, text, headers } = await send(service, '/jwks.json')
    seen.sets.add(headers.get('etag') ?? '')
    const maxAge = Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1])
    if (status !== 200 || !hasSigningKey(text) || maxAge > 1) seen.bad.push(`${status} ${text}`)
  }
}

/** Revokes the first key that is listed: an announced one, whose successor is announced, or the one that signs. */
const revokeFirst = async (service: Service): Promise<void> => {
  const { text } = await send(service, '/keys', { token: service.master })
  const kid: unknown = JSON.parse(text).keys?.[0]?.kid
  await send(service, '/keys/compromise', { method: 'POST', json: { kid }, token: service.master })
}

load('during roll-overs and revocations, scheduled and commanded, no answer fails or is empty', async () => {
  const service = await startService(quick)
  const seen: Seen = { bad: [], sets: new Set(), stopped: false }
  const asking = Array.from({ length: 16 }, () => ask(service, seen))
  try {
    const deadline = Date.now() + 60_000
    while (seen.sets.size < 6 && Date.now() < deadline) {
      await send(service, '/keys/roll-over', { method: 'POST', json: {}, token: service.master })
      await revokeFirst(service)
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  } finally {
    seen.stopped = true
    await Promise.allSettled(asking)
    assert.is(await service.stop(), 0)
    discard(service.dataDir)
  }
  assert.equal(seen.bad, [])
  assert.ok(seen.sets.size >= 6, `${seen.sets.size} sets`)
  assert.not.match(service.output().stderr, /"level":"(error|fatal)"/)
})

load.run()
