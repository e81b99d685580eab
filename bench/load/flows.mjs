// node bench/load/flows.mjs FILE: drives flows of the authorization server for the seconds of the file: one in each of
// its browsers at a time. Prints the figures as JSON.
import { readFileSync } from 'node:fs'
import { stepsOf } from '../flow-steps.mjs'

const { cookies, kind, seconds, ...settings } = JSON.parse(readFileSync(process.argv[2], 'utf8'))

const ready = await Promise.all(cookies.map(stepsOf(settings)[kind]))
const began = performance.now()
const end = began + seconds * 1000
const times = []
const drive = async (step) => {
  while (performance.now() < end) {
    const from = performance.now()
    await step()
    times.push(performance.now() - from)
  }
}
await Promise.all(ready.map(drive))
const elapsed = (performance.now() - began) / 1000
times.sort((one, other) => one - other)
const percentile = (share) => times[Math.floor(times.length * share)]
console.log(JSON.stringify({ rate: times.length / elapsed, p50: percentile(0.5), p99: percentile(0.99) }))
