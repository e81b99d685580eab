// node --import ./bench/count-work.mjs …: counts what the process does. SIGUSR2 begins, and the next one writes the counts as
// JSON to the file that COUNTS names. For the code in dist, which loads the drivers as they are.
import { createHook } from 'node:async_hooks'
import crypto from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { PerformanceObserver } from 'node:perf_hooks'
import v8 from 'node:v8'

let counts

const count = (what) => {
  if (counts !== undefined) counts[what] = (counts[what] ?? 0) + 1
}

const counting = (object, name, whatOf) => {
  const original = object[name]
  object[name] = function counted(...values) {
    const what = whatOf(this, values)
    if (what !== undefined) count(what)
    return original.apply(this, values)
  }
}

const Database = createRequire(new URL('../packages/adapters-sqlite/package.json', import.meta.url))('better-sqlite3')
const { prototype } = new Database(':memory:').prepare('SELECT 1').constructor
let isWriting = false
const kindOf = ({ source }) => {
  const [word] = source.trimStart().split(/\s/)
  if (word === 'BEGIN') isWriting = source.includes('IMMEDIATE')
  if (word === 'COMMIT') return isWriting ? 'commits' : undefined
  if (word === 'SELECT') return source.includes('total_changes') ? undefined : 'looked up'
  return /^(?:INSERT|UPDATE|DELETE)$/.test(word) ? 'written' : undefined
}
for (const name of ['all', 'get', 'run']) counting(prototype, name, kindOf)

for (const [name, what] of [
  ['createCipheriv', 'sealed'],
  ['createDecipheriv', 'opened'],
  ['createHash', 'digests'],
  ['createHmac', 'digests'],
  ['hash', 'digests'],
  ['sign', 'signatures'],
  ['verify', 'verifications'],
])
  counting(crypto, name, () => what)
syncBuiltinESMExports()

const subtle = Object.getPrototypeOf(crypto.webcrypto.subtle)
for (const [name, what] of [
  ['encrypt', 'sealed'],
  ['decrypt', 'opened'],
  ['digest', 'digests'],
  ['sign', 'signatures'],
  ['verify', 'verifications'],
])
  counting(subtle, name, () => what)

counting(http.Server.prototype, 'emit', (_server, [event]) => (event === 'request' ? 'requests' : undefined))

// Counting promises makes more of them, so that what is allocated is measured without.
const promises = createHook({ init: (_id, type) => type === 'PROMISE' && count('promises') })
const isWithPromises = process.env.PROMISES === 'true'
new PerformanceObserver((list) => list.getEntries().forEach(() => count('collections'))).observe({ type: 'gc' })

const heap = () => v8.getHeapStatistics().used_heap_size
let heapBefore
process.on('SIGUSR2', () => {
  if (counts === undefined) {
    globalThis.gc()
    // That collection is reported later.
    setTimeout(() => {
      counts = {}
      if (isWithPromises) promises.enable()
      heapBefore = heap()
    }, 50)
    return
  }
  const found = { ...counts, octets: heap() - heapBefore }
  promises.disable()
  counts = undefined
  writeFileSync(`${process.env.COUNTS}.new`, JSON.stringify(found))
  renameSync(`${process.env.COUNTS}.new`, process.env.COUNTS)
})
