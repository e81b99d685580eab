// Three instances on one database under faults, while clients work: the journal of what they saw.
import { startForwarder } from '../../../adapters-postgresql/test/support/forwarder.js'
import { masterToken } from '../postgresql/postgresql-service.js'
import { ask } from './ask.js'
import { check } from './check.js'
import { startDatabases } from './databases.js'
import { killInstances, pause, plagueDatabases } from './faults.js'
import { type Instance, startInstance } from './instances.js'
import { type Journal, newJournal } from './journal.js'
import { type World, work } from './work.js'

export type Options = { readonly seconds: number; readonly isSynchronous: boolean }

const workers = 8

/** The others follow the first, so that one that does not answer is passed over. */
export const inTurns = (instances: ReadonlyArray<Instance>): (() => ReadonlyArray<number>) => {
  const turn = { next: 0 }
  return () => {
    turn.next += 1
    const ports = instances.map(({ port }) => port)
    const first = turn.next % Math.max(1, ports.length)
    return [...ports.slice(first), ...ports.slice(0, first)]
  }
}

/** Asks an instance for the key set; a request counts if the instance was not killed meanwhile. */
const askForKeys = async ({ port, service }: Instance, { keySets }: Journal, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    const requested = service()
    const answer = await ask(`http://127.0.0.1:${port}/jwks.json`)
    if (requested !== undefined && requested === service()) {
      keySets.requested += 1
      if (answer?.status === 200) keySets.answered += 1
    }
    await pause(50)
  }
}

const run = async (world: World, instances: ReadonlyArray<Instance>, plague: Promise<void>): Promise<void> => {
  const { journal, isOver } = world
  await Promise.all([
    plague,
    killInstances(instances, journal, isOver),
    ...instances.map((each) => askForKeys(each, journal, isOver)),
    ...Array.from({ length: workers }, (_, index) => work(world, `worker-${index}`)),
  ])
}

export const endure = async ({ seconds, isSynchronous }: Options): Promise<Journal> => {
  const instances: Array<Instance> = []
  const databases = await startDatabases(isSynchronous)
  const proxy = await startForwarder(inTurns(instances))
  const base = `http://127.0.0.1:${proxy.port}`
  const journal = newJournal()
  try {
    for (let count = 0; count < 3; count += 1) instances.push(await startInstance(databases.url, base))
    const end = { isOver: false }
    const world: World = { base, master: masterToken, journal, isOver: () => end.isOver }
    const plague = Promise.all([plagueDatabases(databases, journal, seconds), pause(seconds * 1_000)]).then(() => {
      end.isOver = true
    })
    await run(world, instances, plague)
    await check(world)
    return journal
  } finally {
    for (const { stop } of instances) await stop()
    await proxy.close()
    await databases.close()
  }
}
