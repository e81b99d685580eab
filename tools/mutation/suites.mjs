// Replaces uvu: collects the tests for runner.mjs, which runs them one by one.
export const suite = (name) => {
  const tests = []
  const add = (title, run) => tests.push({ id: `${name}: ${title}`, run })
  return Object.assign(add, { run: () => globalThis.testsOfMutants.push(...tests) })
}
