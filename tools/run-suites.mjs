// Loads test files and runs their uvu suites, with web standards only: it runs in every runtime.

const runAll = async (name, suites) => {
  const result = { name, passed: 0, failed: 0, skipped: 0, errors: [] }
  for (const run of suites) {
    const [errors, passed, skipped, total] = await run()
    result.passed += passed
    result.failed += total - passed
    result.skipped += skipped
    if (errors !== true) result.errors.push(`${name}\n${errors}`)
    // uvu drops what a hook threw.
    else if (passed < total) result.errors.push(`${name}\na hook before or after the tests failed`)
  }
  return result
}

/**
 * The results of each file, one after the other; `files` are functions by file name, each of which loads the file.
 * `tell` gets the result of each file as soon as it is there.
 */
export const runSuites = async (files, tell = () => undefined) => {
  // uvu adds the suites of a file to the queue named here, and with this flag does not run them.
  globalThis.UVU_DEFER = true
  globalThis.UVU_QUEUE = Object.keys(files).map(() => [])
  const results = []
  for (const [index, [name, load]] of Object.entries(files).entries()) {
    globalThis.UVU_INDEX = index
    await load()
    const result = await runAll(name, globalThis.UVU_QUEUE[index])
    results.push(result)
    await tell(result)
  }
  return results
}
