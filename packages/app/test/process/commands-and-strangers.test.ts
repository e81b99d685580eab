import { existsSync, writeFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { discard, newDataDir, launch, startService } from '../support/service.js'

const strangers = suite<{ dataDir: string }>('commands and strangers')

strangers.before.each((context) => {
  context.dataDir = newDataDir()
})
strangers.after.each(({ dataDir }) => discard(dataDir))

/** Another user of this machine, who took the port and records requests to it. */
const strangerAt = async (
  port: number,
): Promise<{ readonly heard: ReadonlyArray<string>; readonly server: Server }> => {
  const heard: Array<string> = []
  const server = createServer((request, response) => {
    heard.push(`${request.url ?? ''} ${request.headers.authorization ?? ''}`)
    response.end('{}')
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return { heard, server }
}

const issuing = async (dataDir: string): Promise<string> => {
  const issued = launch(['token', 'issue', '--scope', 'client-reg'], { CLIENTELE_DATA_DIR: dataDir })
  const status = await issued.exited
  return status === 0 ? 'issued' : issued.output().stderr
}

strangers(
  'after kill -9 a stranger takes the port and writes service.json: of commands at once, none sends anything there',
  async ({ dataDir }) => {
    const service = await startService({}, dataDir)
    const port = Number(new URL(service.base).port)
    await service.stop('SIGKILL')
    assert.ok(existsSync(join(dataDir, 'run', 'clientele.sock')))
    const { heard, server } = await strangerAt(port)
    const url = `http://127.0.0.1:${port}`
    writeFileSync(join(dataDir, 'service.json'), JSON.stringify({ url, commandsUrl: url, pid: 1 }))
    const reported = await Promise.all(Array.from({ length: 8 }, () => issuing(dataDir)))
    server.close()
    assert.equal(heard, [])
    assert.ok(reported.includes('issued'), reported.join())
    for (const each of reported)
      assert.match(each, /^issued$|just starting or stopping: try again|cannot be reached at/)
  },
)

strangers('a service that starts after kill -9 is reached by commands, however it listens', async ({ dataDir }) => {
  await (await startService({}, dataDir)).stop('SIGKILL')
  const again = await startService({ CLIENTELE_MANAGEMENT_PORT: '0' }, dataDir)
  const reported = await issuing(dataDir)
  assert.is(await again.stop(), 0)
  assert.is(reported, 'issued')
  assert.not.ok(existsSync(join(dataDir, 'run', 'clientele.sock')))
})

strangers.run()
