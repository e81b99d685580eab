// Interference with figures: other processes on the two cores, and a load generator at its limit.
import { readFileSync } from 'node:fs'
import { canPin, hasProc, loadCore, serverCore } from './machine.mjs'

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0)
const statOf = (path) => readFileSync(`/proc/${path}`, 'utf8')

// All ticks of the core, and the ticks of processes: user, nice and system.
const coreTicks = (core) => {
  const [, line] = new RegExp(`^cpu${core} +(.*)$`, 'm').exec(statOf('stat'))
  const numbers = line.split(' ').map(Number)
  return { all: sum(numbers.slice(0, 8)), busy: sum(numbers.slice(0, 3)) }
}

// utime, stime and, of ended children, cutime and cstime (proc(5)).
const processTicks = (pid) => sum(statOf(`${pid}/stat`).split(') ').at(-1).split(' ').slice(11, 15).map(Number))

const ticksASecond = 100
const ticks = (pid) => ({
  server: { ...coreTicks(serverCore), own: processTicks(pid) },
  load: { ...coreTicks(loadCore), own: processTicks('self') },
})

export const doubts = {
  '% of its core to others': 5,
  '% of the load’s core to others': 5,
  '% of its core taken by the load': 90,
}

/** Starts to measure both cores; the result lists the server's use of cores, and interference in percent of a core. */
export const watch = ({ pid }) => {
  if (!hasProc || !canPin) return () => ({})
  const before = ticks(pid)
  const start = performance.now()
  return () => {
    const after = ticks(pid)
    const cores = (after.server.own - before.server.own) / ticksASecond / ((performance.now() - start) / 1000)
    const share = (side, name) => (after[side][name] - before[side][name]) / (after[side].all - before[side].all)
    const others = (side) => Math.max(0, share(side, 'busy') - share(side, 'own'))
    const found = [others('server'), others('load'), share('load', 'own')]
    return { cores, ...Object.fromEntries(Object.keys(doubts).map((name, place) => [name, 100 * found[place]])) }
  }
}
