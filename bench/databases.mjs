// New databases for benches: on the server that CLIENTELE_TEST_POSTGRESQL names; without it, on one that is started from
// the binaries of the distribution.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const adapter = fileURLToPath(new URL('../packages/adapters-postgresql/', import.meta.url))

/** The URLs of new databases, on a server that ends with this process. */
export const newDatabases = async (count) => {
  const parts = ['--import', 'tsx', '--conditions=@clientele/source', 'test/support/serve.ts', String(count)]
  const child = spawn(process.execPath, parts, { cwd: adapter, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const urls = []
  while (urls.length < count) {
    const { value, done } = await lines.next()
    if (done) throw new Error('the server of the databases did not start')
    urls.push(value)
  }
  const close = async () => {
    child.stdin.end()
    if (child.exitCode === null) await once(child, 'exit')
  }
  return { urls, close }
}
