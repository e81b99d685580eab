import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { needsSecret } from '@clientele/domain/client'
import { jsonInOrder, secondsAfter } from '@clientele/domain/kernel'
import { driftActions, noCeilings } from '@clientele/domain/policy'
import type { ApprovedDocument, SeenDocument } from '@clientele/domain/provider'
import { validClientMetadata } from '../arbitraries/client-metadata.js'
import { epochSecond } from '../arbitraries/credentials.js'
import {
  answeredWith,
  anyDocumentPolicy,
  cacheFacts,
  documentMetadata,
  documentSettings,
  stricterPolicies,
} from '../arbitraries/documents.js'
import { clientIdUrlText } from '../arbitraries/uris.js'
import { documentDoorLaws } from './document-doors.js'
import { type DocumentLaw, accepted, documentLaw } from './document-rules.js'

const doors = 'docs/decisions/0136-documents-decided-as-registrations.md'
const changes = 'docs/decisions/0137-drift-of-documents.md'

const url = clientIdUrlText()
const at = epochSecond()
const policy = anyDocumentPolicy()
const settings = documentSettings(policy)
const open = documentSettings(
  policy.map((each) => ({ ...each, accept: 'any' as const, denied_hosts: [], denied_url_prefixes: [] })),
)

const metadata = documentMetadata()

const statuses = fc.constantFrom(200, 204, 301, 304, 403, 404, 410, 500, 503)

/** Any answer of a server, or none. */
const seen: fc.Arbitrary<SeenDocument> = fc.oneof(
  at.map((time) => ({ kind: 'unreachable' as const, at: time })),
  fc
    .tuple(fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.anything()), metadata), at, statuses, cacheFacts())
    .map(([body, time, status, cache]) => ({ ...answeredWith(body, time, cache), status })),
)

const severity = (action: string): number => driftActions.findIndex((each) => each === action)

const hostOf = (id: string): string => /^https:\/\/(\[::1\]|[^/:]+)/.exec(id)?.[1] ?? ''

const documentAt = (id: string, body: object): object => ({ ...body, client_id: id })

const ofDocuments: ReadonlyArray<DocumentLaw> = [
  documentLaw(
    'any-answer-is-decided',
    'every answer of a server is decided, with a fault or a client',
    doors,
    [settings, url, seen],
    ({ decideDocument }, all, id, answer) => {
      const decided = decideDocument(all)(id, answer)
      assert.ok(E.isRight(decided) || decided.left.length > 0)
    },
  ),
  documentLaw(
    'a-document-names-its-own-url',
    'a document that names another client_id than its URL, byte by byte, is refused for it',
    doors,
    [open, url, fc.oneof(url, fc.anything()), metadata, at],
    ({ decideDocument }, all, id, named, body, time) => {
      if (named === id) return
      const decided = decideDocument(all)(id, answeredWith({ ...body, client_id: named }, time))
      assert.ok(E.isLeft(decided) && decided.left.some(({ rule }) => rule === 'document-client-id'))
    },
  ),
  documentLaw(
    'no-document-has-a-secret',
    'no client of a document has a method or an algorithm with a client_secret',
    doors,
    [open, url, validClientMetadata(), fc.subarray(['client_secret', 'client_secret_expires_at']), at],
    ({ decideDocument }, all, id, body, names, time) => {
      const secrets = Object.fromEntries(names.map((name) => [name, 0]))
      const decided = decideDocument(all)(id, answeredWith(documentAt(id, { ...body, ...secrets }), time))
      if (E.isRight(decided)) assert.ok(names.length === 0 && !needsSecret(decided.right.client.metadata))
    },
  ),
  documentLaw(
    'only-accepted-urls-are-decided',
    'a URL that the policy does not accept, or denies, is refused whatever its server answers',
    doors,
    [settings, url, seen],
    ({ decideDocument }, all, id, answer) => {
      const part = { ...all.policy.metadata_documents, accept: 'any' as const }
      const refused = [
        { ...all.policy.metadata_documents, accept: 'none' as const },
        { ...part, denied_hosts: [hostOf(id)] },
        { ...part, denied_url_prefixes: [id] },
        { ...part, accept: 'listed' as const, allowed_hosts: [], allowed_url_prefixes: [`${id}x`] },
      ]
      for (const metadata_documents of refused) {
        const decided = decideDocument({ ...all, policy: { ...all.policy, metadata_documents } })(id, answer)
        assert.equal(E.isLeft(decided) && decided.left.map(({ rule }) => rule), ['document-not-accepted'])
      }
    },
  ),
  documentLaw(
    'a-stricter-policy-permits-no-more',
    'a stricter policy accepts nothing more, lets nothing more go on, and nothing for longer',
    'docs/decisions/0018-a-policy-is-data.md',
    [stricterPolicies(), url, metadata, metadata, fc.boolean(), seen, cacheFacts(), at],
    ({ decideDocument }, [lax, strict], id, body, before, isFound, other, cache, time) => {
      const deciding = (metadata_documents: typeof lax) =>
        decideDocument({
          mode: { kind: 'open', scope: ['openid'] },
          outboundFetches: true,
          policy: { metadata_documents, ceilings: noCeilings },
        })
      const first = deciding({ ...lax, accept: 'any', denied_hosts: [], denied_url_prefixes: [] })(
        id,
        answeredWith(documentAt(id, before), time),
      )
      const approved = E.isRight(first) ? { metadata: first.right.client.metadata, seen_at: time } : undefined
      const answer = isFound ? answeredWith(documentAt(id, body), time, cache) : other
      const given = deciding(strict)(id, answer, approved)
      if (E.isLeft(given)) return
      const more = accepted(deciding(lax)(id, answer, approved))
      assert.equal(more.client, given.right.client)
      assert.ok(severity(more.action) <= severity(given.right.action))
      assert.ok(more.fresh_until >= given.right.fresh_until)
    },
  ),
]

const approvedBy = (
  decided: E.Either<unknown, { readonly client: { readonly metadata: ApprovedDocument['metadata'] } }>,
  seen_at: ApprovedDocument['seen_at'],
): ApprovedDocument | undefined =>
  E.isRight(decided) ? { metadata: decided.right.client.metadata, seen_at } : undefined

const ofChanges: ReadonlyArray<DocumentLaw> = [
  documentLaw(
    'an-equal-document-does-not-drift',
    'a document that is equal to the approved one has no drift, and its client goes on',
    changes,
    [open, url, metadata, at, at],
    ({ decideDocument }, all, id, body, before, time) => {
      const decide = decideDocument(all)
      const approved = approvedBy(decide(id, answeredWith(documentAt(id, body), before)), before)
      if (approved === undefined) return
      const { drift, action } = accepted(decide(id, answeredWith(documentAt(id, body), time), approved))
      assert.equal([drift, action], [[], 'go_on'])
    },
  ),
  documentLaw(
    'the-policy-answers-each-drift',
    'a changed document has a drift, and the action is the most severe one that the policy has for its kinds',
    changes,
    [open, url, metadata, metadata, at],
    ({ decideDocument }, all, id, body, other, time) => {
      const decide = decideDocument(all)
      const approved = approvedBy(decide(id, answeredWith(documentAt(id, body), time)), time)
      const decided = decide(id, answeredWith(documentAt(id, other), time), approved)
      if (approved === undefined || E.isLeft(decided)) return
      const { drift, action, client } = decided.right
      const actions = drift.map((kind) => severity(all.policy.metadata_documents?.on_drift?.[kind] ?? ''))
      assert.is(severity(action), Math.max(0, ...actions))
      assert.is(drift.length === 0, jsonInOrder(client.metadata) === jsonInOrder(approved.metadata))
    },
  ),
  documentLaw(
    'freshness-is-within-bounds',
    'a document is fresh for a whole number of seconds within the bounds of the policy, whatever its server says',
    changes,
    [
      policy,
      fc.oneof(
        cacheFacts(),
        fc.anything(),
        fc.dictionary(fc.constantFrom('max_age', 'age', 's_maxage'), fc.anything()),
      ),
    ],
    ({ freshnessOf }, { least_freshness, greatest_freshness }, cache) => {
      const seconds = freshnessOf({ least_freshness, greatest_freshness }, cache)
      assert.ok(Number.isInteger(seconds) && seconds >= least_freshness && seconds <= greatest_freshness)
    },
  ),
  documentLaw(
    'a-withdrawn-document-goes-on-only-by-policy',
    'the client of a withdrawn document goes on only if the policy says so, and never without an approved document',
    changes,
    [open, url, metadata, fc.constantFrom(404, 410), at],
    ({ decideDocument }, all, id, body, status, time) => {
      const decide = decideDocument(all)
      const gone: SeenDocument = { ...answeredWith(body, time), status }
      assert.ok(E.isLeft(decide(id, gone)))
      const approved = approvedBy(decide(id, answeredWith(documentAt(id, body), time)), time)
      if (approved === undefined) return
      const { drift, action, fresh_until } = accepted(decide(id, gone, approved))
      assert.equal([drift, fresh_until], [['withdrawn'], time])
      assert.is(action, all.policy.metadata_documents?.on_drift?.withdrawn)
    },
  ),
  documentLaw(
    'an-unreachable-document-counts-for-a-time',
    'while its server is not reached, an approved document counts as long as the policy says, and not a second longer',
    changes,
    [open, url, metadata, fc.constantFrom(301, 403, 500, 503), at],
    ({ decideDocument }, all, id, body, status, time) => {
      const decide = decideDocument(all)
      const approved = approvedBy(decide(id, answeredWith(documentAt(id, body), time)), time)
      if (approved === undefined) return
      const last = secondsAfter(time, all.policy.metadata_documents?.unreachable_for ?? 0)
      const answerAt = (moment: typeof time) => decide(id, { ...answeredWith(body, moment), status }, approved)
      const { client, drift } = accepted(answerAt(last))
      assert.equal([client.metadata, drift], [approved.metadata, ['unreachable']])
      assert.ok(E.isLeft(answerAt(secondsAfter(last, 1))))
    },
  ),
]

/** All laws of Client ID Metadata Documents. */
export const documentLaws: ReadonlyArray<DocumentLaw> = [...documentDoorLaws, ...ofDocuments, ...ofChanges]
