import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'

// What the release workflow may do, and what its steps do. GitHub alone can run all of it.
const Release = suite<{ folder: string }>('the release workflow')

type Step = { readonly name?: string; readonly uses?: string; readonly run?: string; readonly with?: object }
type Job = {
  readonly if?: string
  readonly needs?: string | ReadonlyArray<string>
  readonly environment?: string
  readonly permissions: Readonly<Record<string, string>>
  readonly steps: ReadonlyArray<Step>
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const workflow = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')) as {
  readonly permissions: object
  readonly jobs: Readonly<Record<string, Job>>
}
const jobs = Object.entries(workflow.jobs)
const steps = jobs.flatMap(([, job]) => job.steps)

Release.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'clientele-release-'))
})
Release.after(({ folder }) => rmSync(folder, { recursive: true }))

Release('the job that runs libraries may only read, and one job alone publishes', () => {
  assert.equal(workflow.permissions, {})
  assert.equal(workflow.jobs['build']?.permissions, { contents: 'read' })
  assert.match(String(workflow.jobs['build']?.if), '!github.event.repository.fork')
  const publishing = jobs.filter(([, { permissions }]) => permissions['id-token'] === 'write')
  assert.equal(
    publishing.map(([name, { environment, needs }]) => ({ name, environment, needs })),
    [{ name: 'publish', environment: 'npm', needs: 'build' }],
  )
  assert.is(publishing[0]?.[1].permissions['contents'], undefined)
})

Release('a job that may write anything runs no code of this repository or of a library', () => {
  for (const [name, { permissions, steps }] of jobs) {
    if (!Object.values(permissions).includes('write')) continue
    for (const { run = '' } of steps)
      assert.not.match(run, /npx|\bnpm (?:install|ci|run|test)|node (?!-p )|\.ci\/|tools\//, name)
  }
})

Release('actions are those of GitHub, by their commits, and a checkout leaves no token', () => {
  const used = steps.filter(({ uses }) => uses !== undefined)
  assert.ok(used.length > 5)
  for (const { uses = '', with: given } of used) {
    assert.match(uses, /^actions\/[a-z-]+@[0-9a-f]{40}$/)
    if (uses.startsWith('actions/checkout@'))
      assert.is(
        Object.entries(given ?? {})
          .join()
          .includes('persist-credentials,false'),
        true,
      )
  }
})

Release('the environment is looked at before anything is published', () => {
  const names = workflow.jobs['publish']?.steps.map(({ name }) => name) ?? []
  assert.is(names.indexOf('the environment npm needs an approval'), 0)
  assert.is(names.indexOf('publish the tarballs'), names.length - 1)
})

const programs = ['for-npm', 'with-scripts']

/** A package with a script that would leave a file behind, as a tarball. */
const packed = (folder: string, name: string): Buffer => {
  const place = join(folder, name)
  mkdirSync(join(place, 'package'), { recursive: true })
  const scripts = { prepublishOnly: `touch ${join(folder, 'ran')}`, publish: `touch ${join(folder, 'ran')}` }
  writeFileSync(
    join(place, 'package/package.json'),
    JSON.stringify({ name: `@some/${name}`, version: '0.2.0', scripts }),
  )
  const file = join(folder, 'packed', `${name}.tgz`)
  mkdirSync(join(folder, 'packed'), { recursive: true })
  assert.is(spawnSync('tar', ['-czf', file, '-C', place, 'package']).status, 0)
  return readFileSync(file)
}

type Published = { readonly name: string; readonly _attachments: Readonly<Record<string, { readonly data: string }>> }

Release('each tarball is published as it is, once, and no script runs', async ({ folder }) => {
  const tarballs = programs.map((name) => packed(folder, name))
  const published: Array<Published> = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const name = decodeURIComponent(String(request.url).slice(1))
    if (request.method === 'PUT') published.push((await json(request)) as Published)
    const known = published.some((each) => each.name === name)
    const versions = { '0.2.0': { name, version: '0.2.0' } }
    response.statusCode = known ? 200 : 404
    response.end(JSON.stringify(known ? { name, 'dist-tags': { latest: '0.2.0' }, versions } : {}))
  }
  const registry = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const { port } = registry.address() as AddressInfo
  writeFileSync(join(folder, '.npmrc'), `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=one\n`)
  const { run = '' } = workflow.jobs['publish']?.steps.find(({ name }) => name === 'publish the tarballs') ?? {}
  const env = { PATH: process.env['PATH'], HOME: folder, npm_config_cache: join(folder, 'cache') }
  const publish = async () => {
    const child = spawn('bash', ['-e', '-c', run], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
    assert.equal(await once(child, 'exit'), [0, null])
  }
  await publish()
  const sent = published.map(({ _attachments }) => Object.values(_attachments).map(({ data }) => data))
  assert.equal(
    sent,
    tarballs.map((tarball) => [tarball.toString('base64')]),
  )
  await publish()
  assert.is(published.length, 2)
  assert.is(spawnSync('test', ['-e', join(folder, 'ran')]).status, 1)
  registry.close()
  registry.closeAllConnections()
})

Release('CI installs what is missing by sudo, where it is not root', ({ folder }) => {
  const [install = ''] = /^install_missing\(\) \{[^]*?^\}/m.exec(readFileSync(join(root, '.ci/run'), 'utf8')) ?? []
  // These stand for the programs of a machine that the test must not change.
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const program = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  program('sudo', '[ "$1" = -n ] && SUDO=yes "${@:2}"')
  program('apt-get', 'echo "$SUDO $DEBIAN_FRONTEND $*"')
  const installedAs = (id: number) => {
    program('id', `echo ${id}`)
    const env = { PATH: `${bin}:/usr/bin:/bin` }
    return spawnSync('bash', ['-uc', `missing=(caddy); ${install}; install_missing`], { env, encoding: 'utf8' }).stdout
  }
  const rest = 'noninteractive install -y -qq --no-install-recommends caddy\n'
  assert.is(installedAs(1000), `yes  update -qq\nyes ${rest}`)
  assert.is(installedAs(0), `  update -qq\n ${rest}`)
})

Release.run()
