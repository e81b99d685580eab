// The quick start of README.md on a fresh clone: its commands as they are written, from npm start to an end-user who is
// signed in at the example application. Ports come from the environment, and the browser has no scripts.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { type Started, commandLike, root, serviceReady, startCommand } from '../support/documented-commands.js'
import { openEndUser } from './support/end-user.js'
import { developerIn } from './support/provider.js'

const quickStart = suite<{ clone: string; started: Array<Started> }>('the quick start of README.md on a fresh clone')

const git = (...args: ReadonlyArray<string>): string => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  assert.is(status, 0, stderr)
  return stdout
}

/** The files that git knows, as they are now: nothing is installed, built or started yet. */
const copyTracked = (folder: string): void => {
  const deleted = new Set(git('ls-files', '-z', '--deleted').split('\0'))
  const files = git('ls-files', '-z')
    .split('\0')
    .filter((file) => file !== '' && !deleted.has(file))
  for (const file of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
}

quickStart.before((context) => {
  context.clone = mkdtempSync(join(tmpdir(), 'clientele-clone-'))
  context.started = []
  copyTracked(context.clone)
})
quickStart.after(async ({ clone, started }) => {
  for (const each of [...started].reverse()) await each.stop()
  rmSync(clone, { recursive: true, force: true })
})

const maxSeconds = 300

quickStart('installed, started and signed in within five minutes', async ({ clone, started }) => {
  const begun = Date.now()
  const run = async (command: string, ready: RegExp, env: Readonly<Record<string, string>>): Promise<string> => {
    const running = await startCommand(command, ready, { cwd: clone, env })
    started.push(running)
    return running.found
  }
  const service = await run(commandLike('README.md', /^npm start$/), serviceReady, {
    CLIENTELE_PORT: `${await freePort()}`,
  })
  // docs/decisions/libraries-and-tools.md
  assert.not.ok(existsSync(join(clone, 'node_modules/typescript')), 'the tools of tests are installed')
  const application = await run(
    commandLike('README.md', /^node \S+\/application\.mjs$/),
    /^example application at (\S+)$/m,
    { ISSUER: service, PORT: `${await freePort()}` },
  )
  const endUser = openEndUser(developerIn(join(clone, 'data')), service, application)
  const { page, requested } = await endUser.visit(`${application}/sign-in`)
  assert.equal(requested, ['login', 'consent'], page)
  assert.match(page, 'Signed in as <b>Developer</b>.')
  const seconds = (Date.now() - begun) / 1000
  assert.ok(seconds < maxSeconds, `${seconds} s`)
})

quickStart.run()
