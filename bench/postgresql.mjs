// npm run bench:postgresql [-- --quick]: this service on PostgreSQL beside itself on SQLite, in alternation; without
// shared statements; and as two instances behind one port. CLIENTELE_TEST_POSTGRESQL names the server of the databases;
// without it, one is started from the binaries of the distribution.
import { newDatabases } from './databases.mjs'
import { clientsOf, load } from './load.mjs'
import { described, freePort, newFile, pinSelf } from './machine.mjs'
import { register } from './requests.mjs'
import { onPostgresql, ours, withoutSharedStatements } from './servers.mjs'
import { start } from './start.mjs'
import { registration } from './works/register.mjs'

const quick = process.argv.includes('--quick')
const [seconds, rounds, warmUp, registered] = quick ? [2, 3, 2, 2_000] : [3, 7, 4, 10_000]
const together = 50

const shared = async (url, workers = 1) => {
  const port = String(await freePort())
  return {
    CLIENTELE_ENGINE: 'none',
    CLIENTELE_DATABASE_URL: url,
    CLIENTELE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64url'),
    CLIENTELE_MASTER_TOKEN: 'the-master-token-of-the-bench-which-is-long-enough',
    CLIENTELE_PORT: port,
    CLIENTELE_BASE_URL: `http://127.0.0.1:${port}`,
    ...(workers === 1 ? {} : { CLIENTELE_WORKERS: String(workers) }),
  }
}

const fill = async (server) => {
  const lines = []
  for (let done = 0; done < registered; done += together) {
    const numbers = Array.from({ length: together }, (_, index) => done + index)
    const clients = await Promise.all(numbers.map((number) => register(server, number)))
    lines.push(...clients.map((client) => `${client.client_id} ${client.registration_access_token}\n`))
  }
  return { ...server, clients: clientsOf(newFile(lines.join('')), 'random') }
}

const post = (server, connections, length) => load({ ...registration(server), connections, seconds: length })
const get = (server, connections, length) =>
  load({
    base: server.base,
    path: `${server.endpoint}/{client_id}`,
    headers: { authorization: 'Bearer {token}' },
    clients: server.clients,
    connections,
    seconds: length,
  })

const works = [get, post].flatMap((run) => [16, 64].map((connections) => ({ run, connections })))

const middle = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]

// Round by round, because the conditions of the machine change within minutes.
const measure = async ({ run, connections }, servers) => {
  for (const server of Object.values(servers)) await run(server, connections, warmUp)
  const found = []
  for (let round = 0; round < rounds; round += 1) {
    const rates = {}
    const names = Object.keys(servers)
    for (const name of round % 2 === 0 ? names : names.reverse())
      rates[name] = (await run(servers[name], connections, seconds)).rate
    found.push(rates)
    console.error(`  ${run.name} ${connections}: ${JSON.stringify(rates)}`)
  }
  const ratio = (name, to) => middle(found.map((rates) => rates[name] / rates[to])).toFixed(2)
  const rate = (name) => middle(found.map((rates) => rates[name])).toFixed(0)
  return [
    `| ${run.name.toUpperCase()}, ${connections} connections`,
    ...Object.keys(servers).map(rate),
    ratio('one', 'sqlite'),
    ratio('one', 'alone'),
    `${ratio('two', 'one')} |`,
  ].join(' | ')
}

pinSelf()
const { urls, close } = await newDatabases(3)
const servers = {}
const subjects = [
  ['sqlite', ours, {}],
  ['one', onPostgresql, await shared(urls[0])],
  ['alone', withoutSharedStatements, await shared(urls[1])],
  ['two', onPostgresql, await shared(urls[2], 2)],
]
for (const [name, subject, env] of subjects) servers[name] = await fill(await start(subject, { env }))
const rows = []
for (const work of works) rows.push(await measure(work, servers))
for (const server of Object.values(servers)) await server.stop()
await close()
console.log(
  [
    `${described()}, PostgreSQL on both; medians of ${rounds} alternating rounds of ${seconds} s, ${registered} clients; ratios are medians of the ratios of all rounds`,
    '',
    '| work | on SQLite | on PostgreSQL | without shared statements | two instances | PostgreSQL ÷ SQLite | shared ÷ not shared | two ÷ one |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n'),
)
