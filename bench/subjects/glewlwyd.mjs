// Debian's Glewlwyd, if installed: its key set and metadata. With 64 connections it answers some registrations with
// errors, so that there is no figure for comparison.
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { freePort, isInstalled } from '../machine.mjs'
import { ask, json } from '../requests.mjs'

const tables = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'
const configuration = '/etc/glewlwyd/glewlwyd.conf'
export const hasGlewlwyd = isInstalled('glewlwyd')

const makeDatabase = (file) => {
  const db = new Database(file)
  db.exec(readFileSync(tables, 'utf8'))
  db.close()
}

const pem = { privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } }

const plugin = (iss) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048, ...pem })
  const flows = ['code', 'token', 'id-token', 'none', 'password', 'client', 'device', 'refresh']
  const parameters = {
    iss,
    'jwt-type': 'rsa',
    'jwt-key-size': '256',
    key: privateKey,
    cert: publicKey,
    'access-token-duration': 3_600,
    'refresh-token-duration': 1_209_600,
    'code-duration': 600,
    'refresh-token-rolling': true,
    'allow-non-oidc': true,
    ...Object.fromEntries(flows.map((flow) => [`auth-type-${flow}-enabled`, flow === 'code'])),
    scope: [],
    'additional-parameters': [],
    claims: [],
    'jwks-show': true,
  }
  return { module: 'oidc', name: 'oidc', display_name: 'oidc', enabled: true, parameters }
}

const whenListening = async (url) => {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer !== undefined) return
    await wait(100)
  }
  throw new Error('Glewlwyd does not listen after 10 s')
}

const signIn = async (api) => {
  const body = JSON.stringify({ username: 'admin', password: 'password' })
  const { headers } = await ask(`${api}/auth/`, { method: 'POST', headers: json, body })
  return headers.get('set-cookie').split(';')[0]
}

/**
 * Returns the command that runs it on a folder, and the function that configures the running provider and returns its
 * routes.
 */
export const prepareGlewlwyd = async (folder) => {
  const port = await freePort()
  const database = join(folder, 'glewlwyd.db')
  const file = join(folder, 'glewlwyd.conf')
  const origin = `http://127.0.0.1:${port}`
  const api = `${origin}/api`
  makeDatabase(database)
  const text = readFileSync(configuration, 'utf8')
    .replace(/^port=.*$/m, `port=${port}`)
    .replace(/^external_url=.*$/m, `external_url="${origin}/"`)
    .replace(/^@include.*$/m, `database = { type = "sqlite3" path = "${database}" };`)
  writeFileSync(file, text)
  const ready = async () => {
    await whenListening(`${api}/config`)
    const headers = { ...json, cookie: await signIn(api) }
    await ask(`${api}/mod/plugin/`, { method: 'POST', headers, body: JSON.stringify(plugin(`${api}/oidc`)) })
    return { base: `${api}/oidc` }
  }
  return { command: ['glewlwyd', '-c', file, '-m', 'console', '-l', 'NONE'], ready }
}
