// node --import ./bench/watch-statements.mjs …: writes the slowest statement of the process, their number and the peak of its
// memory to the file that STATEMENTS names, when the process ends. For the code in dist, which loads the drivers as they are.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const seen = { statements: 0, slowest: 0, text: '' }

const note = (text, began) => {
  const milliseconds = performance.now() - began
  seen.statements += 1
  if (milliseconds <= seen.slowest) return
  seen.slowest = milliseconds
  seen.text = text.trim().replace(/\s+/g, ' ').slice(0, 120)
}

const driverOf = (name, ofPackage) =>
  createRequire(new URL(`../packages/${ofPackage}/package.json`, import.meta.url))(name)

const Database = driverOf('better-sqlite3', 'adapters-sqlite')
const { prototype } = new Database(':memory:').prepare('SELECT 1').constructor
for (const name of ['all', 'get', 'run']) {
  const original = prototype[name]
  prototype[name] = function watched(...values) {
    const began = performance.now()
    try {
      return original.apply(this, values)
    } finally {
      note(this.source, began)
    }
  }
}

const { Client } = driverOf('pg', 'adapters-postgresql')
const { query } = Client.prototype
Client.prototype.query = function watched(config, ...more) {
  const began = performance.now()
  const answer = query.call(this, config, ...more)
  const end = () => note(config.text ?? String(config), began)
  if (typeof answer?.then === 'function') answer.then(end, end)
  return answer
}

process.on('exit', () => {
  if (process.env.STATEMENTS === undefined) return
  writeFileSync(process.env.STATEMENTS, JSON.stringify({ ...seen, memory: process.resourceUsage().maxRSS * 1024 }))
})
