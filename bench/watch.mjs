// What may spoil a figure: other processes on the two cores, and a load generator that can do no more.
import { readFileSync } from 'node:fs'
import { canPin, hasProc, loadCore, serverCore } from './machine.mjs'

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0)
const statOf = (path) => readFileSync(`/proc/${path}`, 'utf8')

// Ticks of the core in all, and of those the ones that went to processes: user, nice and system.
const coreTicks = (core) => {
  const [, line] = new RegExp(`^cpu${core} +(.*)$`, 'm').exec(statOf('stat'))
  const numbers = line.split(' ').map(Number)
  return { all: sum(numbers.slice(0, 8)), busy: sum(numbers.slice(0, 3)) }
}

// utime, stime and, of children that ended, cutime and cstime (proc(5)).
const processTicks = (pid) => sum(statOf(`${pid}/stat`).split(') ').at(-1).split(' ').slice(11, 15).map(Number))

const ticks = (pid) => ({
  server: { ...coreTicks(serverCore), own: processTicks(pid) },
  load: { ...coreTicks(loadCore), own: processTicks('self') },
})

export const doubts = {
  '% of its core to others': 5,
  '% of the load’s core to others': 5,
  '% of its core taken by the load': 90,
}

/** Begins to look at both cores; ends with what makes the figures doubtful, in percent of a core. */
export const watch = ({ pid }) => {
  if (!hasProc || !canPin) return () => ({})
  const before = ticks(pid)
  return () => {
    const after = ticks(pid)
    const share = (side, name) => (after[side][name] - before[side][name]) / (after[side].all - before[side].all)
    const others = (side) => Math.max(0, share(side, 'busy') - share(side, 'own'))
    const found = [others('server'), others('load'), share('load', 'own')]
    return Object.fromEntries(Object.keys(doubts).map((name, place) => [name, 100 * found[place]]))
  }
}
