// The list of all clients, and its effect on other requests.
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { forgetPeak, memory, peakMemory, runLoad } from '../machine.mjs'
import { ask } from '../requests.mjs'
import { iterate, masterToken, ours } from '../servers.mjs'
import { onServer } from './on-server.mjs'

const readProgram = fileURLToPath(new URL('../read-list.mjs', import.meta.url))
const pause = 5

const readList = async ({ base, endpoint }, headers, count) => {
  const times = count < 100_000 ? 5 : 1
  const reported = JSON.parse(
    await runLoad([process.execPath, readProgram, base + endpoint, JSON.stringify(headers), String(times)]),
  )
  if (reported.clients !== count) throw new Error(`${reported.clients} of ${count} clients were listed`)
  return { rate: count / reported.seconds, 'ms to the first byte': reported.firstByte }
}

const percentile99 = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length * 0.99)]

// Reads the key set every few milliseconds, over one connection, until the promise settles.
const othersDuring = async ({ base, keySet }, promise) => {
  const state = { over: false }
  const times = []
  const end = () => (state.over = true)
  promise.then(end, end)
  while (!state.over) {
    const began = performance.now()
    await (await ask(base + keySet)).arrayBuffer()
    times.push(performance.now() - began)
    await wait(pause)
  }
  return percentile99(times)
}

const listOurs = async (server, { seconds }, { count }) => {
  // Many of the first responses are slow, until the code is compiled.
  await othersDuring(server, wait(seconds * 1000))
  const idle = await othersDuring(server, wait(seconds * 1000))
  const before = memory(server)
  forgetPeak(server)
  const reading = readList(server, masterToken(server), count)
  const meanwhile = await othersDuring(server, reading)
  return {
    ...(await reading),
    'MiB more memory': before === undefined ? undefined : peakMemory(server) - before,
    'ms p99 of GET key set meanwhile': meanwhile,
    'ms before': idle,
    'times the p99 of GET key set before': meanwhile / idle,
  }
}

const work = (count, stage) => ({
  name: `GET /clients, ${count.toLocaleString('en')} clients`,
  stage,
  warm: stage === 'listed',
  // A million takes minutes.
  ...(stage === 'million' ? { rounds: 1 } : {}),
  series: {
    [ours]: onServer(ours, listOurs),
    [iterate]: onServer(iterate, (server, _, stage) => readList(server, {}, stage.count)),
  },
})

export const works = [work(10_000, 'listed'), work(1_000_000, 'million')]
