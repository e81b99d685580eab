// Modules about metadata of clients: OpenID Registration §2, §5. Their documents are at a host over TLS on loopback.
import * as assert from 'uvu/assert'
import { type Receiver, startReceiver } from '../../support/receivers.js'
import { registerOpenly, send } from '../../support/requests.js'
import { callback } from '../../sign-in/support/provider.js'
import { newKeys, privateKeyClient, registerClient } from './clients.js'
import { checkRefused, flow, requestOf, urlOf } from './flow.js'
import type { Op } from './op.js'
import { type Module, pausing } from './plan.js'
import { offlineFlow, refreshed, withRefreshTokens } from './refresh-tokens.js'

/** A host that answers with what `document` returns at the time of a request. */
const startHost = (document: () => unknown): Promise<Receiver> =>
  startReceiver((response) => {
    const found = document()
    if (Buffer.isBuffer(found)) response.end(found)
    else if (typeof found === 'string') response.setHeader('Content-Type', 'application/jwt').end(found)
    else response.setHeader('Content-Type', 'application/json').end(JSON.stringify(found))
  })

/** Runs with such a host. */
export const hosting = async (document: () => unknown, run: (host: Receiver) => Promise<void>): Promise<void> => {
  const host = await startHost(document)
  try {
    await run(host)
  } finally {
    await host.stop()
  }
}

const pathsAt = ({ received }: Receiver): ReadonlyArray<string> => received.map(({ path }) => path)

/** The pages of a sign-in at a client that registered the address. */
const pagesWith = async (op: Op, member: string, uri: string): Promise<ReadonlyArray<string>> => {
  const client = await op.client({ [member]: uri })
  assert.is(client.registered[member], uri)
  const { end, requested, forms } = await op.browser().visit(urlOf(op, requestOf(client)))
  assert.is(end?.searchParams.get('error'), null)
  assert.equal(requested, ['login', 'consent'])
  return forms
}

const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The consent page contains the picture; no page names its address. */
export const logoUri: Module = (op) =>
  hosting(
    () => Buffer.from(picture, 'base64'),
    async (host) => {
      const pages = await pagesWith(op, 'logo_uri', host.uri)
      for (const page of pages) assert.not.match(page, new URL(host.uri).host)
      assert.match(pages[1] ?? '', `<img class="logo" src="data:image/png;base64,${picture}" alt="">`)
      assert.is(host.received.length, 1)
    },
  )

/** A link on the consent page, with the host, that tells nothing of this page. */
const isLinked =
  (member: 'policy_uri' | 'tos_uri'): Module =>
  async (op) => {
    const uri = `https://rp.example/${member}`
    const [, consent = ''] = await pagesWith(op, member, uri)
    const [, attributes = '', host] =
      /<a ([^>]*rp\.example[^>]*)>[^<]+<\/a> <span class="host"><bdi dir="ltr">([^<]+)</.exec(consent) ?? []
    assert.match(attributes, `href="${uri}"`)
    assert.match(attributes, 'rel="noopener noreferrer"')
    assert.is(host, 'rp.example')
  }

export const policyUri = isLinked('policy_uri')
export const tosUri = isLinked('tos_uri')

/** OpenID Core §4: both answers have it; beyond the suite, the page of connected applications has a link to it. */
export const initiateLogin: Module = async (op) => {
  const { service } = op.provider
  const initiate_login_uri = 'https://rp.example/login?from=op'
  const client = await op.client({ initiate_login_uri })
  assert.is(client.registered['initiate_login_uri'], initiate_login_uri)
  const token = String(client.registered['registration_access_token'])
  const read = await send(service, String(client.registered['registration_client_uri']), { token })
  assert.equal([read.status, read.json['initiate_login_uri']], [200, initiate_login_uri])
  const browser = op.browser()
  await flow(op, client, browser)
  const consents = await (await browser.browserOf(op.base).open(`${op.base}/consents`)).text()
  assert.match(consents, `href="${initiate_login_uri}&amp;iss=${encodeURIComponent(op.base)}"`)
}

export const initiateLoginPlain: Module = async (op) => {
  const sent = { redirect_uris: [callback], initiate_login_uri: 'http://rp.example/login' }
  checkRefused(await registerOpenly(op.provider.service, sent), 'invalid_client_metadata')
}

export const jwksUri: Module = async (op) => {
  const keys = await newKeys()
  await hosting(
    () => ({ keys: [keys.jwk] }),
    async (host) => {
      const client = await privateKeyClient(op.provider.service, { jwks_uri: host.uri }, () => keys)
      await flow(op, client)
      assert.ok(pathsAt(host).includes('GET /logout?from=op'))
    },
  )
}

const pairwise = { subject_type: 'pairwise', redirect_uris: [callback] }

export const sectorUri: Module = async (op) =>
  hosting(
    () => [callback, `${callback}/other`],
    async (host) => {
      await registerClient(op.provider.service, { ...pairwise, sector_identifier_uri: host.uri })
      assert.is(host.received.length, 1)
    },
  )

export const sectorBad: Module = async (op) =>
  hosting(
    () => ['https://rp.example/other'],
    async (host) => {
      const refused = await registerOpenly(op.provider.service, { ...pairwise, sector_identifier_uri: host.uri })
      checkRefused(refused, 'invalid_client_metadata')
      assert.is(host.received.length, 1)
    },
  )

/** OpenID Core §10.1.1: the client replaces its keys. As in the suite, a key set is not fetched again for a minute. */
export const keyRotation = pausing(
  60,
  async (op) => {
    const keys = { present: await newKeys() }
    const host = await startHost(() => ({ keys: [keys.present.jwk] }))
    const metadata = { ...withRefreshTokens, jwks_uri: host.uri }
    const client = await privateKeyClient(op.provider.service, metadata, () => keys.present)
    const made = await offlineFlow(op, client)
    keys.present = await newKeys()
    return { host, client, made }
  },
  async (op, { host, client, made }) => {
    await refreshed(op, client, made)
    await host.stop()
  },
)

/** RFC 7523 §3: the audience of an assertion may be the issuer. */
export const issuerAudience: Module = async (op) => {
  const keys = await newKeys()
  const issuer = String(op.metadata['issuer'])
  const client = await privateKeyClient(op.provider.service, {}, () => keys, issuer)
  await flow(op, client)
}
