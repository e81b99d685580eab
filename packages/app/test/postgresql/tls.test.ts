// TLS to a real server, by the built program, which trusts a further authority as its users let it.
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import type { OwnServer } from '../../../adapters-postgresql/test/support/server.js'
import { execFileSync } from 'node:child_process'
import { chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { launch } from '../support/service.js'
import { passwordOf, settingsOn, start } from './postgresql-service.js'

const tls = postgresqlSuite('TLS to PostgreSQL')

// Other texts of 127.0.0.1, which only the resolver knows.
const named = '127.1'
const notNamed = '127.0.1'

/** A certificate for one name, signed by itself. */
const makeCertificate = ({ folder }: OwnServer): { readonly key: string; readonly certificate: string } => {
  const key = join(folder, 'tls.key')
  const certificate = join(folder, 'tls.crt')
  const subject = ['-subj', `/CN=${named}`, '-addext', `subjectAltName=DNS:${named}`, '-days', '2']
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...newKey, ...subject, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  const { uid, gid } = statSync(folder)
  chownSync(key, uid, gid)
  chownSync(certificate, uid, gid)
  return { key, certificate }
}

const at = (url: string, ...hostnames: ReadonlyArray<string>): string => {
  const { host, port } = new URL(url)
  return url.replace(host, hostnames.map((hostname) => `${hostname}:${port}`).join(','))
}

tls.own('a certificate is verified with its authority and its name', async (server) => {
  const url = await newDatabase(server)
  await (await start(url)).stop()
  const { key, certificate } = makeCertificate(server)
  await server.stop('fast')
  await server.start({ ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key })
  const listed = async (hostnames: ReadonlyArray<string>, authorities?: string): Promise<string> => {
    const flags = Object.entries(settingsOn(at(url, ...hostnames))).map(([name, value]) => `--${name}=${value}`)
    const trust = authorities === undefined ? {} : { NODE_EXTRA_CA_CERTS: authorities }
    const { exited, output } = launch(['keys', 'list', ...flags], trust)
    const code = await exited
    const { stdout, stderr } = output()
    assert.not.match(stdout + stderr, passwordOf(url))
    return code === 0 ? 'listed' : stderr
  }
  assert.is(await listed([named], certificate), 'listed')
  assert.match(await listed([named]), /self-signed certificate.*database-tls.*NODE_EXTRA_CA_CERTS/)
  assert.match(await listed([notNamed], certificate), /does not match certificate's altnames.*database-tls/)
  // Of several hosts, each is verified by its own name, and one that is not is never used.
  assert.is(await listed([notNamed, named], certificate), 'listed')
  assert.match(
    await listed([notNamed, notNamed], certificate),
    /(127\.0\.1:\d+: Hostname\/IP does not match certificate's altnames.*){2}database-tls/,
  )
})

tls.run()
