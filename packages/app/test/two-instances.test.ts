// Two complete services over one store: key changes by an operator at one of them take effect at the other within two
// seconds.
import { emptyState, openInMemoryStore } from '@clientele/adapters-memory'
import { createKeyMaker, reconcileInterval } from '@clientele/adapters-jose'
import { epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { decodeProtectedHeader } from 'jose'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../src/compose.js'
import { post, started } from './cli/run.js'

const masterToken = 'the-master-token-of-both-services-in-this-test'

type Both = {
  one: Service
  other: Service
  directories: ReadonlyArray<string>
  restart: () => Promise<Service>
}

const both = suite<Both>('two services over one store')

both.before.each(async (context) => {
  const openStore = openInMemoryStore(emptyState())
  const begin = (algorithms: string): Promise<Service> => {
    const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
    context.directories = [...context.directories, directory]
    const flags = { 'data-dir': directory, 'master-token': masterToken, 'signing-algorithms': algorithms }
    return started(flags, { openStore })
  }
  context.directories = []
  context.restart = () => begin('ES256')
  context.one = await context.restart()
  context.other = await begin('ES256,EdDSA')
})
both.after.each(async ({ one, other, directories }) => {
  await Promise.all([one.stop(), other.stop()])
  directories.forEach((each) => rmSync(each, { recursive: true }))
})

type Published = { readonly kid: string; readonly alg: string }

const publishedBy = async ({ url }: Service): Promise<ReadonlyArray<Published>> => {
  const { keys } = (await (await fetch(`${url}/jwks.json`)).json()) as { readonly keys: ReadonlyArray<Published> }
  return keys
}

const kidsOf = async (service: Service): Promise<ReadonlyArray<string>> =>
  (await publishedBy(service)).map(({ kid }) => kid)

const signerOf = async ({ provider }: Service): Promise<string> => {
  const expiresAt = secondsAfter(epochSeconds(Date.now()), 60)
  const signed = await provider.signToken({ alg: 'ES256', typ: 'JWT', claims: {}, expiresAt })()
  if (E.isLeft(signed)) throw new Error(signed.left.error)
  return String(decodeProtectedHeader(signed.right).kid)
}

/** Fails unless the condition holds within the time that an instance may take to read the changes of another one. */
const soon = async (what: string, isTrue: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + reconcileInterval * 1000 + 500
  while (!(await isTrue())) {
    if (Date.now() > deadline) assert.unreachable(what)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const requested = async ({ url }: Service, path: string, json: unknown): Promise<void> => {
  assert.is((await post(`${url}/keys/${path}`, masterToken, json)).status, 200)
}

both('a successor is published, a compromised key is gone, and an imported one signs, at both', async (context) => {
  const { one, other } = context
  const before = await kidsOf(one)
  await requested(one, 'roll-over', { alg: 'ES256' })
  const successor = (await kidsOf(one)).find((kid) => !before.includes(kid)) ?? 'none'
  await soon('the successor is published', async () => (await kidsOf(other)).includes(successor))
  const compromised = await signerOf(other)
  await requested(other, 'compromise', { kid: compromised })
  assert.not((await kidsOf(other)).includes(compromised))
  await soon('the key is gone', async () => !(await kidsOf(one)).includes(compromised))
  assert.is(await signerOf(one), await signerOf(other))
  const made = await createKeyMaker().makeKey('ES256')()
  if (E.isLeft(made)) throw new Error('no key was made')
  const jwk = { ...JSON.parse(made.right.privateKey), kid: 'imported', alg: 'ES256', use: 'sig' }
  await requested(one, 'import', { keys: [jwk] })
  assert.is(await signerOf(one), 'imported')
  await soon('the imported key signs', async () => (await signerOf(other)) === 'imported')
})

both('with different signing-algorithms both publish the same keys, and go on doing so', async ({ one, other }) => {
  const first = await publishedBy(one)
  assert.equal(
    first.map(({ alg }) => alg),
    ['ES256', 'RSA-OAEP-256'],
  )
  await new Promise((resolve) => setTimeout(resolve, reconcileInterval * 1000 + 500))
  assert.equal([await publishedBy(one), await publishedBy(other)], [first, first])
  await one.stop()
  await soon('the other takes the lease', async () => (await publishedBy(other)).some(({ alg }) => alg === 'EdDSA'))
})

both('a change of many clients that one began goes on at the other, and after a restart', async (context) => {
  const { one, other, restart } = context
  for (let number = 0; number < 401; number += 1)
    await post(`${one.url}/clients`, masterToken, { redirect_uris: ['https://rp.example/cb'] })
  const change = async ({ url }: Service, body: object): Promise<Readonly<Record<string, unknown>>> =>
    Object.fromEntries(
      Object.entries((await (await post(`${url}/manage/v1/clients/suspension`, masterToken, body)).json()) ?? {}),
    )
  const filter = { registered_by: 'master' }
  const { next } = await change(one, { filter, count: 401 })
  const second = await change(other, { filter, next })
  assert.is(second['changed'], 200)
  await one.stop()
  context.one = await restart()
  assert.equal(await change(context.one, { filter, next: second['next'] }), { changed: 1, unchanged: 0 })
})

both.run()
