// Modules about metadata of clients: OpenID Registration §2, §5. Their documents are at a host over TLS on loopback.
import * as assert from 'uvu/assert'
import { type Receiver, startReceiver } from '../../support/receivers.js'
import { registerOpenly } from '../../support/requests.js'
import { callback } from '../../sign-in/support/provider.js'
import { newKeys, privateKeyClient, registerClient } from './clients.js'
import { checkRefused, flow, requestOf, urlOf } from './flow.js'
import { type Module, pausing } from './plan.js'
import { offlineFlow, refreshed, withRefreshTokens } from './refresh-tokens.js'

/** A host that answers with what `document` returns at the time of a request. */
const startHost = (document: () => unknown): Promise<Receiver> =>
  startReceiver((response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(document()))
  })

/** Runs with such a host. */
const hosting = async (document: () => unknown, run: (host: Receiver) => Promise<void>): Promise<void> => {
  const host = await startHost(document)
  try {
    await run(host)
  } finally {
    await host.stop()
  }
}

const pathsAt = ({ received }: Receiver): ReadonlyArray<string> => received.map(({ path }) => path)

/** The address is kept, and no page of the sign-in names it. */
const isNotShown =
  (member: 'logo_uri' | 'policy_uri' | 'tos_uri'): Module =>
  async (op) => {
    const uri = `https://rp.example/${member}`
    const client = await op.client({ [member]: uri })
    assert.is(client.registered[member], uri)
    const { end, requested, forms } = await op.browser().visit(urlOf(op, requestOf(client)))
    assert.is(end?.searchParams.get('error'), null)
    assert.equal(requested, ['login', 'consent'])
    for (const page of forms) assert.not.match(page, uri)
  }

export const logoUri = isNotShown('logo_uri')
export const policyUri = isNotShown('policy_uri')
export const tosUri = isNotShown('tos_uri')

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
