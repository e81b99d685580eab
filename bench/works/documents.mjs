// The public documents: the key set and the metadata.
import { load } from '../load.mjs'
import { glewlwyd, limit, ours, peer } from '../servers.mjs'
import { seriesOf } from './on-server.mjs'

const documents = {
  'GET key set': ({ keySet }) => keySet,
  'GET metadata': () => '/.well-known/openid-configuration',
}

const work = (name, pathOf, connections) => ({
  name: `${name}, ${connections} connections`,
  stage: 'stored',
  warm: true,
  quick: connections === 16,
  series: seriesOf([ours, limit, peer, glewlwyd], (server, { seconds }) =>
    load({ base: server.base, path: pathOf(server), connections, seconds }),
  ),
})

export const works = Object.entries(documents).flatMap(([name, pathOf]) =>
  [16, 64].map((connections) => work(name, pathOf, connections)),
)
