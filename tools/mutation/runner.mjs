// A test runner for Stryker that tries many mutants in one process: the bundled tests are evaluated anew for each, so
// that tables and patterns are made with the active mutant. It stops at the first failing test, unless every killing
// test is wanted (disableBail).
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'

// Most mutants fail within a few cases; only survivors are tried with more.
const few = '3'
const many = process.env.PROPERTY_RUNS ?? '30'

class OneProcess {
  #costs = new Map()

  capabilities() {
    return { reloadEnvironment: true }
  }

  init() {
    const require = createRequire(join(process.cwd(), 'package.json'))
    const script = new Script(`(require) => { ${readFileSync('mutants.cjs', 'utf8')}\n}`)
    this.stryker = globalThis.__stryker__ ??= {}
    this.evaluate = () => {
      globalThis.testsOfMutants = []
      script.runInThisContext()(require)
      return globalThis.testsOfMutants
    }
    // Shrinking is off, because the first counterexample kills the mutant.
    const fc = require('fast-check')
    fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })
    process.on('unhandledRejection', () => {})
  }

  async #run({ id, run }) {
    const began = performance.now()
    this.stryker.currentTestId = id
    // An endless loop ends at the limit, counted for each test.
    this.stryker.hitCount = this.stryker.hitLimit && 0
    try {
      await run()
    } catch (error) {
      return String(error?.message ?? error)
    } finally {
      this.stryker.currentTestId = undefined
      this.#costs.set(id, performance.now() - began)
    }
  }

  async dryRun() {
    Object.assign(this.stryker, { activeMutant: undefined, mutantCoverage: undefined, hitLimit: undefined })
    const tests = []
    process.env.PROPERTY_RUNS = many
    for (const test of this.evaluate()) {
      const failureMessage = await this.#run(test)
      const reported = { id: test.id, name: test.id, timeSpentMs: this.#costs.get(test.id) }
      tests.push({ ...reported, ...(failureMessage ? { status: 'failed', failureMessage } : { status: 'success' }) })
    }
    return { status: 'complete', tests, mutantCoverage: this.stryker.mutantCoverage }
  }

  // Few cases first; for survivors, many.
  async #failure(test, runs) {
    for (const cases of runs) {
      process.env.PROPERTY_RUNS = cases
      const failure = await this.#run(test)
      if (failure !== undefined) return failure
    }
    return undefined
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, disableBail }) {
    Object.assign(this.stryker, { activeMutant: activeMutant.id, hitLimit, hitCount: hitLimit && 0 })
    let nrOfTests = 0
    const killed = (killedBy, failureMessage) => ({ status: 'killed', killedBy, failureMessage, nrOfTests })
    const cost = ({ id }) => this.#costs.get(id) ?? 0
    let tests
    try {
      tests = this.evaluate().filter(({ id }) => testFilter?.includes(id) ?? true)
    } catch (error) {
      return killed([], `Nothing can be loaded: ${error}`)
    }
    const killers = []
    for (const runs of disableBail ? [[few, many]] : [[few], [many]])
      for (const test of tests.sort((one, other) => cost(one) - cost(other))) {
        nrOfTests += 1
        const failure = await this.#failure(test, runs)
        if (failure === undefined) continue
        killers.push(test.id)
        if (!disableBail) return killed(killers, failure)
      }
    return killers.length === 0 ? { status: 'survived', nrOfTests } : killed(killers, 'See killedBy')
  }
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'one-process', injectableClass: OneProcess }]
