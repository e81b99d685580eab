import { URLSearchParams } from 'node:url'
import { load } from '../load.mjs'
import { ask, idToken, metadata, register } from '../requests.mjs'
import { limit, ours, peer, peerInMemory } from '../servers.mjs'
import { seriesOf } from './on-server.mjs'

// For a browser with a session of alice, and an ID token of one of her clients.
export const confirmationOf = async (server) => {
  const client = await register(server)
  const { cookie, kid, path } = await server.signedIn(server, client)
  const query = new URLSearchParams({
    id_token_hint: idToken(server.base, client.client_id, kid),
    post_logout_redirect_uri: metadata(0).post_logout_redirect_uris[0],
    state: 'af0ifjsldkj',
  })
  const confirmation = { base: server.base, path: `${path}?${query}`, headers: { cookie } }
  const { headers } = await ask(confirmation.base + confirmation.path, { headers: { cookie } })
  if (!headers.get('content-type').startsWith('text/html')) throw new Error(`${server.name} answers no dialog`)
  return confirmation
}

const confirmations = new Map()
const get =
  (connections) =>
  async (server, { seconds }) => {
    if (!confirmations.has(server)) confirmations.set(server, await confirmationOf(server))
    return load({ ...confirmations.get(server), connections, seconds })
  }

const work = (connections) => ({
  name: `GET logout dialog, ${connections} connections`,
  stage: 'stored',
  warm: true,
  quick: connections === 16,
  series: seriesOf([ours, limit, peer, peerInMemory], get(connections)),
})

export const works = [work(16), work(64)]
