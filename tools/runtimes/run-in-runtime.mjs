// Runs inside a runtime: loads the tests, lets the suites of uvu run, file by file, and tells what became of them in one line.

/** Before the line that tells it. */
export const toldBy = 'domain tests: '

const runFile = async (name, suites) => {
  const told = { name, passed: 0, failed: 0, skipped: 0, errors: [] }
  for (const run of suites) {
    const [errors, passed, skipped, total] = await run()
    told.passed += passed
    told.failed += total - passed
    told.skipped += skipped
    if (errors !== true) told.errors.push(`${name}\n${errors}`)
  }
  return told
}

const sum = (files, key) => files.reduce((all, file) => all + file[key], 0)

/** `files` are functions that load a file each; `env` is for runtimes that have no environment. */
export const runInRuntime = async (files, env) => {
  globalThis.process ??= { env: {} }
  Object.assign(globalThis.process.env, env)
  // uvu adds what a file has to the part of its queue that is named here, and leaves running it to who set this.
  globalThis.UVU_DEFER = true
  globalThis.UVU_QUEUE = Object.keys(files).map(() => [])
  const told = []
  for (const [index, [name, load]] of Object.entries(files).entries()) {
    globalThis.UVU_INDEX = index
    await load()
    told.push(await runFile(name, globalThis.UVU_QUEUE[index]))
  }
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((key) => sum(told, key))
  const silent = told.filter((file) => file.passed + file.failed + file.skipped === 0).map(({ name }) => name)
  const errors = told.flatMap((file) => file.errors)
  console.log(`\n${toldBy}${JSON.stringify({ passed, failed, skipped, silent, errors })}`)
}
