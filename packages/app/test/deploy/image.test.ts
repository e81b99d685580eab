// deploy/Dockerfile: its steps run, and what they make runs as a container would. Skipped where there is no root.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { register, send } from '../support/requests.js'
import { until } from '../support/receivers.js'
import { type BuiltImage, buildImage, createContainer } from './support/built-image.js'
import { canCopyRoot } from './support/copied-root.js'
import { image } from './support/deployed.js'

const images = suite<{ built?: BuiltImage }>('the image')
const it = (title: string, test: (context: { built?: BuiltImage }) => Promise<void> | void): unknown =>
  canCopyRoot ? images(title, test) : images.skip(title)
images.after(({ built }) => built?.remove())

const dataDir = '/var/lib/clientele'
const backups = '/var/backups'

it('is built by the steps of the Dockerfile, and has at most 200 MB', (context) => {
  context.built = buildImage()
  const { bytes, folder } = context.built
  const node = statSync(join(folder, 'usr/local/bin/node')).size
  process.stdout.write(`\nmeasured: ${(bytes / 1e6).toFixed(0)} MB, of which Node is ${(node / 1e6).toFixed(0)} MB\n`)
  assert.ok(bytes <= 200e6, String(bytes))
})

it('holds no shell, and no program that gives rights', ({ built }) => {
  assert.ok(built)
  const found = (...tests: ReadonlyArray<string>): string => {
    const { status, stdout } = spawnSync('find', [built.folder, ...tests], { encoding: 'utf8' })
    assert.is(status, 0)
    return stdout
  }
  assert.is(found('-perm', '/6000'), '')
  assert.is(found('-name', 'sh', '-o', '-name', 'bash', '-o', '-name', 'busybox', '-o', '-name', 'apt'), '')
  assert.is(found('-perm', '/002', '-not', '-type', 'l', '-not', '-path', `${built.folder}/tmp`), '')
})

it('serves as a user without rights, with a read-only root, and is healthy while it can write', async ({ built }) => {
  assert.ok(built)
  const port = await freePort()
  const managementPort = await freePort()
  const environment = {
    CLIENTELE_ENGINE: 'none',
    CLIENTELE_PORT: String(port),
    CLIENTELE_MANAGEMENT_PORT: String(managementPort),
    CLIENTELE_BASE_URL: `http://127.0.0.1:${port}`,
  }
  const container = createContainer(built, [dataDir, backups])
  const isHealthy = (): boolean => container.run(image().healthCheck, environment).status === 0
  assert.not.ok(isHealthy())
  const service = container.start(image().command, environment)
  const output = text(service.stdout ?? process.stdin)
  const errors = text(service.stderr ?? process.stdin)
  const ended = once(service, 'close')
  try {
    await until(() => {
      assert.is(service.exitCode, null)
      return Promise.resolve(isHealthy())
    })
    const status = container.run(['node', '--print', 'require("fs").readFileSync("/proc/self/status", "utf8")'])
    assert.match(status.output, /^Uid:\t65532\t65532\t65532\t65532$/m)
    assert.match(status.output, /^Groups:\t\s*$/m)
    assert.match(status.output, /^CapEff:\t0+$/m)
    assert.match(status.output, /^NoNewPrivs:\t1$/m)
    for (const path of ['/app/planted', '/usr/local/bin/planted', '/planted', '/var/planted']) {
      const write = `require("fs").writeFileSync(${JSON.stringify(path)}, "")`
      assert.match(container.run(['node', '--eval', write]).output, /EROFS|EACCES/)
    }

    const base = `http://127.0.0.1:${port}`
    const token = spawnSync('cat', [join(container.volume(dataDir), 'master-token')], {
      encoding: 'utf8',
    }).stdout.trim()
    const client = await register({ base, master: token })
    assert.is(client.status, 200, client.text)
    assert.is((await send({ base }, '/console')).status, 404)

    // As docs/operate/deploy.md runs commands in a container.
    assert.match(container.run(['clientele', 'clients', 'list']).output, String(client.json['client_id']))
    const backup = `${backups}/monday.db`
    assert.match(container.run(['clientele', 'backup', backup]).output, /1 client, .*verified/)
    assert.is(statSync(join(container.volume(backups), 'monday.db')).uid, 65_532)
    assert.match(container.run(['clientele', 'restore', backup, '--verify']).output, /is whole/)

    service.kill('SIGTERM')
    assert.equal(await ended, [0, null], await errors)
    assert.match(await output, `clientele ready ${base}`)
    assert.not.ok(isHealthy())
  } finally {
    service.kill('SIGKILL')
  }
})

images.run()
