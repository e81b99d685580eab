// What the documents of clients in use become under the profile for clients of the Model Context Protocol.
import { clientIdUrl } from '@clientele/domain/client'
import { epochSeconds, isParsedObject } from '@clientele/domain/kernel'
import type { GivenDocumentPolicy } from '@clientele/domain/policy'
import { type DecidedDocument, decideDocument } from '@clientele/domain/provider'
import type { RegistrationSettings } from '@clientele/domain/registration'
import { answeredWith } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/files.js'
import { registrationSettings } from '../../src/config/registration.js'
import { type RecordedDocument, documentCorpus } from '../support/document-corpus.js'

const Corpus = suite('the documents of the corpus')

const loaded = loadConfig({
  flags: { engine: 'none' },
  environment: { CLIENTELE_PROFILE: 'mcp' },
  readFile,
})

const settingsWith = (metadata_documents: GivenDocumentPolicy): RegistrationSettings => {
  if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left))
  const settings = registrationSettings(loaded.right.config, 'https://op.example')
  return { ...settings, policy: { ...settings.policy, metadata_documents } }
}

const scope = ['openid', 'offline_access', 'atproto', 'transition:generic']
const at = epochSeconds(1_795_000_000_000)

const decided = (
  { document, file }: RecordedDocument,
  policy: GivenDocumentPolicy = { accept: 'any', scope },
): E.Either<ReadonlyArray<string>, DecidedDocument> => {
  const read = clientIdUrl(document['client_id'])
  if (read.kind !== 'url') throw new Error(file)
  assert.equal(read.remarks, [])
  const decision = decideDocument(settingsWith(policy))(read.url, answeredWith(document, at))
  return E.isRight(decision) ? decision : E.left(decision.left.map(({ pointer, rule }) => `${pointer} ${rule}`))
}

const isTaken = ({ refused }: RecordedDocument): boolean => refused === undefined

Corpus('25 at least are taken, each with its date or commit, and a public source', () => {
  assert.ok(documentCorpus.filter(isTaken).length >= 25)
  for (const { file, client, seen, source, document } of documentCorpus) {
    assert.match(seen, /^(?:\d{4}-\d\d-\d\d|[0-9a-f]{7})$/, file)
    assert.ok(client !== '' && isParsedObject(document), file)
    assert.ok(
      source.some((address) => address.startsWith('https://github.com/')),
      file,
    )
  }
})

for (const entry of documentCorpus.filter((each) => !isTaken(each)))
  Corpus(`${entry.client}: refused`, () => assert.equal(decided(entry), E.left(entry.refused)))

for (const entry of documentCorpus.filter(isTaken))
  Corpus(`${entry.client}: a client with ${entry.method}`, () => {
    const decision = decided(entry)
    if (E.isLeft(decision)) throw new Error(decision.left.join())
    const { client, dropped, adjustments, drift, action } = decision.right
    const reported = adjustments.map(({ pointer, rule }) => `${pointer} ${rule}`)
    assert.equal([client.metadata.token_endpoint_auth_method, reported], [entry.method, entry.adjustments])
    assert.equal([dropped, drift, action], [[], [], 'go_on'])
  })

Corpus('by default, none of them is accepted', () => {
  for (const entry of documentCorpus.filter(isTaken))
    assert.equal(decided(entry, {}), E.left(['/client_id document-not-accepted']), entry.file)
})

Corpus('a list admits one application on a host with others', () => {
  const policy = { accept: 'listed', allowed_url_prefixes: ['https://github.com/copilot/'] } as const
  const accepted = documentCorpus.filter((entry) => E.isRight(decided(entry, policy)))
  assert.equal(
    accepted.map(({ file }) => file),
    ['copilot-cli.json'],
  )
})

Corpus.run()
