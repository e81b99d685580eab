// The client information holds every member as it was sent, but for what a dry run names: RFC 7591 §3.2.1.
import { parseRegistrationScope } from '@clientele/domain/authorization'
import { type RegistrationSettings, decideRegistration } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readFile } from '../../src/config/files.js'
import { loadConfig } from '../../src/config/load-config.js'
import { hypotheticalFacts } from '../../src/explaining/explanations.js'
import { registrationSettings } from '../../src/config/registration.js'
import { type RecordedClient, corpus, registrable } from '../support/corpus.js'
import { rulesOf } from '../support/metadata/refusals.js'
import { type Answer, issueToken, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

type Members = Readonly<Record<string, unknown>>

const folder = mkdtempSync(join(tmpdir(), 'clientele-corpus-'))

/** The settings for the clients of a profile. */
const environmentFor = (entries: ReadonlyArray<RecordedClient>): Readonly<Record<string, string>> => {
  const profile = entries[0]?.profile ?? null
  const declared = entries.flatMap(({ providerMetadata }) => providerMetadata ?? [])
  if (declared.length === 0) return profile === null ? {} : { CLIENTELE_PROFILE: profile }
  const file = join(folder, `${profile ?? 'none'}.json`)
  writeFileSync(file, JSON.stringify(Object.assign({}, ...declared)))
  return { CLIENTELE_PROFILE: profile ?? '', CLIENTELE_PROVIDER_METADATA_FILE: file }
}

const namesOf = (value: unknown): ReadonlyArray<string> => Object.keys(value ?? {})
const textsOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

/** The sent members that the metadata does not hold as they were sent. */
const changedIn = (sent: Members, metadata: Members): ReadonlyArray<string> =>
  Object.keys(sent).filter((name) => !isDeepStrictEqual(sent[name], metadata[name]))

/** The members that a dry run says to be replaced, each with its reason, or left out. */
const reportedBy = (sent: Members, { json }: Answer): ReadonlyArray<string> => {
  const reasons = JSON.stringify(json['adjustments'])
  const replaced = namesOf(json['added']).filter((name) => Object.hasOwn(sent, name))
  for (const name of replaced) assert.match(reasons, `"/${name}"`)
  return [...replaced, ...textsOf(json['dropped'])]
}

const Corpus = suite('the clients of the corpus')

Corpus('there are at least 30, each with its version and a public source', () => {
  assert.ok(corpus.length >= 30, String(corpus.length))
  for (const { file, client, version, how, source } of corpus) {
    assert.ok(client !== '' && version !== '', file)
    assert.ok(['run', 'captured', 'source', 'documented'].includes(how), file)
    assert.ok(source.length > 0, file)
    for (const address of source) assert.match(address, /^https:\/\/github\.com\/[\w-]+\/[\w.-]+/, file)
  }
})

Corpus('a body that is refused says what registers instead', () => {
  for (const { file, refused, adjusted } of corpus) assert.is(refused === undefined, adjusted === undefined, file)
})

Corpus('every profile but strict has clients', () => {
  const profiles = [...new Set(corpus.map(({ profile }) => profile ?? 'none'))]
  assert.equal(profiles.sort(), ['mail', 'matrix', 'mcp', 'none', 'openbanking-br'])
})

const settingsFor = (entry: RecordedClient) => {
  const loaded = loadConfig({ flags: { engine: 'none' }, environment: environmentFor([entry]), readFile })
  if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left))
  const { config } = loaded.right
  const settings: RegistrationSettings = registrationSettings(config, 'https://op.example')
  return { config, settings }
}

for (const entry of corpus)
  Corpus(`${entry.client}: the decision registers it`, async () => {
    const { config, settings } = settingsFor(entry)
    const scope = entry.token === undefined ? O.none : O.fromEither(parseRegistrationScope(entry.token))
    const facts = await hypotheticalFacts(config, settings, { scope, body: E.right(registrable(entry)) })
    const decided = decideRegistration(settings)(facts)
    assert.ok(E.isRight(decided), JSON.stringify(decided))
  })

const withService = async (settings: Readonly<Record<string, string>>, run: (service: Service) => Promise<void>) => {
  const service = await startService(settings)
  try {
    await run(service)
  } finally {
    await service.stop()
    discard(service.dataDir)
  }
}

const post = async (service: Service, path: string, entry: RecordedClient, json: Members): Promise<Answer> => {
  const { token } = entry
  const presented = token === undefined ? {} : { token: await issueToken(service, token) }
  return send(service, path, { method: 'POST', json, ...presented })
}

const assertRegistered = async (service: Service, entry: RecordedClient): Promise<void> => {
  const body = registrable(entry)
  if (entry.refused !== undefined)
    assert.equal(rulesOf(await post(service, '/clients', entry, entry.body)), entry.refused, entry.client)
  const dry = await post(service, '/clients?dry_run=true', entry, body)
  const answer = await post(service, '/clients', entry, body)
  const status = entry.profile === null ? 200 : 201
  assert.is(answer.status, status, `${entry.client}: ${answer.text}`)
  assert.equal(changedIn(body, answer.json).slice().sort(), reportedBy(body, dry).slice().sort(), entry.client)
}

const clientsOf = (profile: RecordedClient['profile']): ReadonlyArray<RecordedClient> =>
  corpus.filter((entry) => entry.profile === profile)

for (const profile of new Set(corpus.map((entry) => entry.profile)))
  Corpus(`profile ${profile ?? 'none'}: each of its clients registers, unchanged but for what is reported`, () =>
    withService(environmentFor(clientsOf(profile)), async (service) => {
      for (const entry of clientsOf(profile)) await assertRegistered(service, entry)
    }),
  )

Corpus('Cursor and Gemini CLI get a report of what was adjusted', () =>
  withService(environmentFor(clientsOf('mcp')), async (service) => {
    const adjustmentsOf = async (file: string): Promise<ReadonlyArray<string>> => {
      const [entry] = corpus.filter((each) => each.file === file)
      const { json } = await send(service, '/clients?dry_run=true', { method: 'POST', json: entry?.body })
      const adjustments: unknown = json['adjustments']
      return Array.isArray(adjustments) ? adjustments.map(({ rule }) => String(rule)) : []
    }
    assert.equal(await adjustmentsOf('cursor.json'), ['application-type-inferred'])
    assert.equal(await adjustmentsOf('cursor-web.json'), ['application-type-replaced'])
    assert.equal(await adjustmentsOf('gemini-cli.json'), ['application-type-inferred', 'scope-empty'])
    assert.equal(await adjustmentsOf('claude-ai.json'), [])
  }),
)

Corpus(
  'openbanking-br with the engine: a client of its own algorithms registers; one of others is told the remedy',
  () =>
    withService({ CLIENTELE_PROFILE: 'openbanking-br', CLIENTELE_ENGINE: 'oidc-provider' }, async (service) => {
      const entry = corpus.find(({ file }) => file === 'openbanking-br.json')
      assert.ok(entry)
      const refused = await post(service, '/clients', entry, entry.body)
      assert.is(refused.status, 400)
      const description = String(refused.json['error_description'])
      assert.match(
        description,
        /^request_object_encryption_alg .* where the setting engine is none, to provider-metadata$/,
      )
      const body = { ...entry.body, request_object_encryption_alg: 'RSA-OAEP-256' }
      assert.is((await post(service, '/clients', entry, body)).status, 201)
    }),
)

Corpus.after(() => rmSync(folder, { recursive: true }))

Corpus.run()
