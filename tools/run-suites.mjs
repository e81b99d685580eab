// Loads test files and runs the suites of uvu that each has, on web standards alone: it runs in every runtime.

const runAll = async (name, suites) => {
  const result = { name, passed: 0, failed: 0, skipped: 0, errors: [] }
  for (const run of suites) {
    const [errors, passed, skipped, total] = await run()
    result.passed += passed
    result.failed += total - passed
    result.skipped += skipped
    if (errors !== true) result.errors.push(`${name}\n${errors}`)
  }
  return result
}

/** The results of each file, one after the other; `files` has functions that load a file each, by its name. */
export const runSuites = async (files) => {
  // uvu adds what a file has to the part of its queue that is named here, and leaves running it to the one who set this.
  globalThis.UVU_DEFER = true
  globalThis.UVU_QUEUE = Object.keys(files).map(() => [])
  const results = []
  for (const [index, [name, load]] of Object.entries(files).entries()) {
    globalThis.UVU_INDEX = index
    await load()
    results.push(await runAll(name, globalThis.UVU_QUEUE[index]))
  }
  return results
}
