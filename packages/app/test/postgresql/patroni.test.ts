// A database that fails over by Patroni, as docs/operate/several-instances.md sets it up: what was answered is there afterwards.
import { startForwarder } from '../../../adapters-postgresql/test/support/forwarder.js'
import { setTimeout as pause } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { check } from '../endure/check.js'
import { inTurns } from '../endure/endure.js'
import { type Instance, startInstance } from '../endure/instances.js'
import { type Journal, newJournal } from '../endure/journal.js'
import { judge } from '../endure/judge.js'
import { type World, work } from '../endure/work.js'
import { type Cluster, isPatroniInstalled, startCluster } from './patroni-cluster.js'
import { command, masterToken } from './postgresql-service.js'

const tests = suite('a database that fails over by Patroni')

/** Longer than Patroni waits for etcd. */
const etcdAway = 25_000

type Scene = readonly [name: string, run: (cluster: Cluster) => Promise<void>]

const scenes: ReadonlyArray<Scene> = [
  ['switchover', async ({ switchOver }) => switchOver()],
  [
    'primary and its Patroni killed',
    async ({ leader }) => {
      const killed = await leader()
      await killed.kill()
      // Longer than `ttl`: another one takes its place before it comes back.
      await pause(25_000)
      killed.start()
    },
  ],
  [
    'Patroni of the primary stands still, the watchdog ends its host',
    async ({ leader }) => {
      const frozen = await leader()
      frozen.freeze()
      await pause(20_000)
      assert.ok(frozen.hasEnded(), 'the watchdog did not end the host')
      await frozen.kill()
      frozen.start()
    },
  ],
  [
    `etcd away for ${etcdAway / 1_000} s`,
    async ({ stopEtcd, startEtcd }) => {
      await stopEtcd()
      await pause(etcdAway)
      startEtcd()
    },
  ],
]

/** Measures the longest time without an acknowledged write, until the result is called. */
const startWatch = ({ journal }: World): (() => number) => {
  let longest = 0
  const began = performance.now()
  const look = (): void => {
    longest = Math.max(longest, performance.now() - Math.max(began, journal.lastAcknowledgement))
  }
  const timer = setInterval(look, 20)
  return () => {
    clearInterval(timer)
    return longest / 1_000
  }
}

const countOf = ({ entries }: Journal, kind: string): number => entries.filter((entry) => entry.kind === kind).length

const tell = (text: string): void => void process.stdout.write(`\nmeasured: ${text}\n`)

const untilWriting = async ({ journal }: World): Promise<void> => {
  const began = performance.now()
  while (journal.lastAcknowledgement < began) {
    assert.ok(performance.now() - began < 60_000, 'no write was answered for a minute')
    await pause(20)
  }
}

const playAll = async (cluster: Cluster, worlds: ReadonlyArray<World>): Promise<void> => {
  for (const [name, run] of scenes) {
    await cluster.untilWhole()
    await Promise.all(worlds.map(untilWriting))
    await pause(1_000)
    const watches = worlds.map(startWatch)
    await run(cluster)
    await cluster.untilWhole()
    await Promise.all(worlds.map(untilWriting))
    const [byHosts = 0, byHaproxy = 0] = watches.map((stop) => stop())
    tell(`${name}: ${byHosts.toFixed(1)} s without a write by the hosts, ${byHaproxy.toFixed(1)} s by HAProxy`)
  }
}

const judgeAll = async (worlds: ReadonlyArray<World>): Promise<void> => {
  for (const world of worlds) {
    await check(world)
    const { journal } = world
    tell(`${countOf(journal, 'registered')} registered, ${countOf(journal, 'registration_in_doubt')} in doubt`)
    assert.equal(judge(journal.entries), { lost: [], usedTwice: [], oldAccepted: [] })
    assert.equal(journal.unexpected, [])
    assert.ok(countOf(journal, 'registered') > 100)
  }
}

const play = async (cluster: Cluster, instances: Array<Instance>): Promise<void> => {
  const proxy = await startForwarder(inTurns(instances))
  const base = `http://127.0.0.1:${proxy.port}`
  for (let count = 0; count < 2; count += 1) instances.push(await startInstance(cluster.url, base))
  const throughHaproxy = await startInstance(cluster.proxied, base)
  const end = { isOver: false }
  const worlds = [base, `http://127.0.0.1:${throughHaproxy.port}`].map((each): World => ({
    base: each,
    master: masterToken,
    journal: newJournal(),
    isOver: () => end.isOver,
    rest: 20,
  }))
  const working = worlds.flatMap((world, place) =>
    Array.from({ length: 3 - place }, (_, index) => work(world, `worker-${place}-${index}`)),
  )
  try {
    await playAll(cluster, worlds)
    end.isOver = true
    await Promise.all(working)
    await judgeAll(worlds)
    assert.is((await command(cluster.url, ['audit', 'verify'])).status, 0)
  } finally {
    end.isOver = true
    for (const each of [...instances, throughHaproxy]) await each.stop()
    await proxy.close()
  }
}

const title = 'loses nothing that was answered, and answers nothing twice'

if (isPatroniInstalled)
  tests(title, async () => {
    const cluster = await startCluster()
    try {
      await play(cluster, [])
    } finally {
      await cluster.close()
    }
  })
else tests.skip(title)

tests.run()
