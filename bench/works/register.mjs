import { load } from '../load.mjs'
import { ask, json, metadata } from '../requests.mjs'
import { limit, ours, peer, peerInMemory } from '../servers.mjs'
import { seriesOf } from './on-server.mjs'

export const registration = ({ base, endpoint }) => ({
  base,
  path: endpoint,
  method: 'POST',
  headers: json,
  body: JSON.stringify(metadata(0)),
})

const metrics = async ({ management }) => (await ask(`${management}/metrics`)).text()

const lag = (text, name) => Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)[1]) * 1000

// Reading the metrics resets them. The service samples every 10 ms, so that an idle loop reports about 10.
const withLag = async (server, run) => {
  await metrics(server)
  const figures = await run()
  const text = await metrics(server)
  return { ...figures, 'ms event loop delay, p99 (10 is idle)': lag(text, 'p99'), 'ms at most': lag(text, 'max') }
}

const post =
  (connections) =>
  (server, { seconds }) => {
    const run = () => load({ ...registration(server), connections, seconds })
    return server.management === undefined ? run() : withLag(server, run)
  }

const work = (connections) => ({
  name: `POST /clients, ${connections} connections`,
  stage: 'empty',
  warm: true,
  series: seriesOf([ours, limit, peer, peerInMemory], post(connections)),
})

export const works = [work(16), work(64)]
