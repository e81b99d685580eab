// Runs the script `tests.mjs` of a folder in a runtime, and returns the result.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { versionOf } from './binaries.mjs'
import { resultsAfter } from './run-in-runtime.mjs'

const running = new Set()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

const execute = (binary, args, folder, limit) =>
  new Promise((resolve) => {
    const child = spawn(binary, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let output = ''
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, limit)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => (output += error))
    child.on('close', (code) => {
      running.delete(child)
      clearTimeout(timer)
      resolve({ output, late, code })
    })
  })

const onCommandLine =
  (...args) =>
  (binary, folder, limit) => {
    writeFileSync(join(folder, 'main.mjs'), `import { run } from './tests.mjs'\nawait run()\n`)
    return execute(binary, [...args, 'main.mjs'], folder, limit)
  }

// Without its compatibility with Node, so that no test relies on it.
const config = (date) => `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (services = [(name = "tests", worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs"), (name = "tests.mjs", esModule = embed "tests.mjs")],
  compatibilityDate = "${date}",
  compatibilityFlags = ["no_nodejs_compat", "no_nodejs_compat_v2"],
))]);
`

const inWorker = (binary, folder, limit) => {
  writeFileSync(join(folder, 'worker.mjs'), `import { run } from './tests.mjs'\nexport default { test: run }\n`)
  writeFileSync(join(folder, 'config.capnp'), config(versionOf(binary)))
  return execute(binary, ['test', 'config.capnp'], folder, limit)
}

const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const files = { '/': 'text/html', '/tests.mjs': 'text/javascript' }

// A page that may load its own scripts only, without code from strings.
const serve = (folder) => (route) => {
  const { pathname } = new URL(route.request().url())
  if (files[pathname] === undefined) return route.fulfill({ status: 404 })
  const headers = { 'content-type': files[pathname], 'content-security-policy': "default-src 'self'" }
  return route.fulfill({ headers, body: pathname === '/' ? '<!doctype html>' : readFileSync(join(folder, pathname)) })
}

const inBrowser = async (binary, folder, limit) => {
  const browser = await chromium.launch({ executablePath: binary, args: switches })
  let output = ''
  let timer
  try {
    const page = await browser.newPage()
    page.on('console', (message) => (output += `${message.text()}\n`))
    page.on('pageerror', (error) => (output += `${error}\n`))
    await page.route('**/*', serve(folder))
    // Plain http on localhost is a secure context, which has WebCrypto.
    await page.goto('http://localhost/')
    const run = page.evaluate(() => import('/tests.mjs').then(({ run }) => run())).then(() => true)
    const ended = await Promise.race([run, new Promise((resolve) => (timer = setTimeout(resolve, limit, false)))])
    return { output, late: !ended, code: 0 }
  } catch (error) {
    return { output: `${output}${error}`, late: false, code: 1 }
  } finally {
    clearTimeout(timer)
    await browser.close()
  }
}

const hosts = {
  Deno: onCommandLine('run', '--no-prompt', '--allow-env'),
  Bun: onCommandLine('run'),
  workerd: inWorker,
  Chromium: inBrowser,
}

const reported = (output) => {
  const line = output.split('\n').find((each) => each.includes(resultsAfter))
  return line === undefined ? undefined : JSON.parse(line.slice(line.indexOf(resultsAfter) + resultsAfter.length))
}

const faultOf = ({ code, late, result }, limit) => {
  if (late) return `did not end within ${limit / 1000} s`
  if (result === undefined) return 'told nothing of its tests'
  if (result.silent.length > 0) return `no test ran of ${result.silent.join(', ')}`
  if (result.failed > 0) return `${result.failed} failed, ${result.passed} passed`
  if (result.passed === 0) return 'no test passed'
  return code === 0 ? undefined : `ended with ${code}`
}

/** Runs the tests of the folder: the passed and left out tests, and the failure if there is one. */
export const runIn = async (name, binary, folder, limit) => {
  const { output, late, code } = await (hosts[name] ?? onCommandLine())(binary, folder, limit)
  const result = reported(output)
  const fault = faultOf({ code, late, result }, limit)
  return { ...result, fault, why: result === undefined ? output.slice(-4000) : result.errors.join('\n') }
}
