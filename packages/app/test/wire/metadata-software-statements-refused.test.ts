import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { SignJWT, exportJWK, exportSPKI, generateKeyPair, importJWK } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allClients, assertCareful, assertUntold, rulesOf } from '../support/metadata/refusals.js'
import {
  type Signer,
  base64url,
  createSigner,
  issuer,
  keyFile,
  sign,
  signText,
} from '../support/metadata/statements.js'
import { configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

type Context = { service: Service; without: Service; trusted: Signer; foreign: Signer; file: string }

const statements = suite<Context>('software statements that do not count')

statements.before(async (context) => {
  context.trusted = await createSigner('ES256')
  context.foreign = await createSigner('ES256')
  context.file = keyFile(context.trusted.publicJwk)
  context.without = await startService()
  context.service = await startService({
    CLIENTELE_LOG_LEVEL: 'trace',
    CLIENTELE_SOFTWARE_STATEMENT_ISSUERS: `${issuer}=${context.file}`,
  })
})
statements.after(async ({ service, without, file }) => {
  await Promise.all([service.stop(), without.stop()])
  for (const folder of [service.dataDir, without.dataDir, dirname(file)]) discard(folder)
})

const now = (): number => Math.floor(Date.now() / 1000)
const claims = { client_name: 'Stated' }
const invalid = 'invalid_software_statement'
const unapproved = 'unapproved_software_statement'

const withstand = async (service: Service, error: string, software_statement: string): Promise<void> => {
  const registered = await register(service)
  const { path, token: rat } = configurationOf(registered)
  const token = await issueToken(service, 'client-reg')
  const before = await allClients(service)
  const json = { redirect_uris, software_statement }
  for (const answer of [
    await register(service, json, token),
    await send(service, path, { method: 'PUT', token: rat, json }),
    await send(service, '/clients?dry_run=true', { method: 'POST', token, json }),
  ]) {
    assertCareful(answer, 400, error)
    const rule = error === unapproved ? 'software-statement-unapproved' : 'software-statement'
    assert.equal(rulesOf(answer), [`/software_statement ${rule}`])
    if (software_statement.length > 8) await assertUntold(service, answer, software_statement)
  }
  assert.is(await allClients(service), before)
  assert.is((await register(service, { redirect_uris }, token)).status, 200, 'the token is not spent')
}

type Forged = (context: Context) => Promise<string> | string

const unsigned = (signature: string): string =>
  `${base64url({ alg: 'none' })}.${base64url({ iss: issuer, ...claims })}.${signature}`

const withSecret = async (secret: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setIssuer(issuer).sign(Buffer.from(secret))

const pemOf = async ({ trusted }: Context): Promise<string> => {
  const key = await importJWK(trusted.publicJwk, 'ES256', { extractable: true })
  return key instanceof Uint8Array ? '' : exportSPKI(key)
}

const forgeries: Readonly<Record<string, Forged>> = {
  'signed by another key of the same kid': ({ foreign }) => sign(foreign, claims),
  'one bit of the signature changed': async ({ trusted }) => {
    const [header = '', payload = '', signature = ''] = (await sign(trusted, claims)).split('.')
    const bytes = Buffer.from(signature, 'base64url')
    bytes[0] = (bytes[0] ?? 0) ^ 1
    return [header, payload, bytes.toString('base64url')].join('.')
  },
  'the payload changed': async ({ trusted }) => {
    const [header = '', , signature = ''] = (await sign(trusted, claims)).split('.')
    return [header, base64url({ iss: issuer, client_name: 'Changed' }), signature].join('.')
  },
  'the signature cut off': async ({ trusted }) => (await sign(trusted, claims)).replace(/\.[^.]*$/, '.'),
  'alg none without a signature': () => unsigned(''),
  'alg none with a signature': () => unsigned('AAAA'),
  'HS256 with the public key as JWK': ({ trusted }) => withSecret(JSON.stringify(trusted.publicJwk)),
  'HS256 with the set of keys': ({ trusted }) => withSecret(JSON.stringify({ keys: [trusted.publicJwk] })),
  'HS256 with the public key as PEM': async (context) => withSecret(await pemOf(context)),
  'HS256 with an empty secret': () => withSecret('\0'),
  expired: ({ trusted }) => sign(trusted, { ...claims, exp: now() - 3_600 }),
  'not in force yet': ({ trusted }) => sign(trusted, { ...claims, nbf: now() + 3_600 }),
  'an expiry that is no number': ({ trusted }) => sign(trusted, { ...claims, exp: 'never' }),
  'without an issuer': ({ trusted }) => sign(trusted, { ...claims, iss: undefined }),
  'with two issuers': ({ trusted }) => sign(trusted, { ...claims, iss: [issuer] }),
  'a critical header that nobody knows': async ({ trusted }) => {
    const header = base64url({ alg: 'ES256', crit: ['http://evil.example/x'], 'http://evil.example/x': true })
    const [, payload = '', signature = ''] = (await sign(trusted, claims)).split('.')
    return [header, payload, signature].join('.')
  },
  'a key of its own in the header': async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const header = { alg: 'ES256', jwk: await exportJWK(publicKey) }
    return new SignJWT(claims).setProtectedHeader(header).setIssuer(issuer).sign(privateKey)
  },
  'claims that are no object': ({ trusted }) => signText(trusted, '[]'),
  'claims that are no JSON': ({ trusted }) => signText(trusted, `{'iss':'${issuer}'}`),
  'a claim twice': ({ trusted }) => signText(trusted, `{"iss":"${issuer}","client_name":"A","client_name":"B"}`),
  'claims with __proto__': ({ trusted }) => signText(trusted, `{"iss":"${issuer}","__proto__":{"client_name":"A"}}`),
  'claims nested too deep': ({ trusted }) =>
    signText(trusted, `{"iss":"${issuer}","data":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`),
  'for another service (RFC 7519 §4.1.3)': ({ trusted }) => sign(trusted, { ...claims, aud: 'https://other.example' }),
  'no JWT: one part': () => 'eyJhbGciOi',
  'no JWT: two parts': () => 'e30.e30',
  'no JWT: three parts of nothing': () => 'a.b.c',
  'no JWT: five parts': () => 'e30.e30.e30.e30.e30',
  'no JWT: empty': () => '',
  'no JWT: blanks around it': async ({ trusted }) => ` ${await sign(trusted, claims)}`,
  'no JWT: padded': async ({ trusted }) => `${await sign(trusted, claims)}==`,
  'longer than 32 KiB': ({ trusted }) => sign(trusted, { ...claims, padding: 'x'.repeat(30_000) }),
}

for (const [name, forge] of Object.entries(forgeries))
  statements(`${name}: ${invalid}`, async (context) => {
    await withstand(context.service, invalid, await forge(context))
  })

statements(`an issuer that is not trusted: ${unapproved}`, async ({ service, trusted, foreign }) => {
  for (const iss of [
    'https://unknown.example',
    `${issuer}/`,
    'https://ISSUER.example',
    '',
    '__proto__',
    'constructor',
  ]) {
    await withstand(service, unapproved, await sign(trusted, { ...claims, iss }))
    await withstand(service, unapproved, await sign(foreign, { ...claims, iss }))
  }
})

statements(`without the setting: ${unapproved}`, async ({ without, trusted }) => {
  await withstand(without, unapproved, await sign(trusted, claims))
})

statements('for this service (RFC 7519 §4.1.3): taken', async ({ service, trusted }) => {
  for (const aud of [service.base, ['https://other.example', service.base]]) {
    const software_statement = await sign(trusted, { ...claims, aud })
    assert.is((await register(service, { redirect_uris, software_statement })).status, 200)
  }
})

statements('a statement of 1 MiB: 413', async ({ service, trusted }) => {
  const software_statement = await sign(trusted, { ...claims, padding: 'x'.repeat(1_048_576) })
  const answer = await register(service, { redirect_uris, software_statement })
  assertCareful(answer, 413, 'invalid_request')
})

statements('where a header says that keys or certificates lie, nobody looks', async ({ service, foreign }) => {
  let connections = 0
  const listener = createServer().on('connection', (socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/keys`
  await withstand(service, invalid, await sign(foreign, claims, { jku: url, x5u: url }))
  await withstand(service, unapproved, await sign(foreign, { iss: `http://127.0.0.1:${port}` }))
  assert.is(connections, 0)
  await new Promise((resolve) => listener.close(resolve))
})

statements.run()
