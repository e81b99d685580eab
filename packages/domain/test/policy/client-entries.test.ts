// What a policy says about single clients: it bounds them within what all have, and nobody else.
import { ceilings, exampleClient, exampleId, law, registeredBy, registrationMode } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ValueSet, permits } from '../../src/authorization/registrant.js'
import { ClientId, ClientIdUrl } from '../../src/client/ids.js'
import {
  type ClientEntries,
  type ClientEntry,
  type RegistrationPolicy,
  entryAbout,
  explainEntry,
  lifetimeOf,
  noPolicy,
  withinEntry,
} from '../../src/policy/policy.js'
import { decodeRegistrationPolicy } from '../../src/policy/decode.js'
import { decideConsent, describeForConsent } from '../../src/provider/consent.js'
import { documentPrivileges, permitDocument } from '../../src/provider/documents.js'
import { type PermittedScope, type ScopeRequest, type ScopeSettings, decideScope } from '../../src/provider/scope.js'
import { permitEntry, requestedPrivileges } from '../../src/registration/permit.js'
import { judgeStoredClient } from '../../src/registration/decide.js'
import { consentOf, consentPolicy, consentRequest } from '../support/consent.js'

const Entries = suite('the entries of a policy about single clients')
const it = law(Entries)

const registered = exampleId('s6BhdRkqt3')
const document = exampleId('https://app.example/clients/one.json')
const files = 'https://files.example/mcp'
const mail = 'https://mail.example'

/** Other client_ids that a reader could take for these: hosts, beginnings, letters and spellings. */
const others = [
  's6bhdrkqt3',
  'S6BhdRkqt3',
  's6BhdRkqt',
  's6BhdRkqt3.',
  'app.example',
  'https://app.example/',
  'https://app.example/clients/',
  'https://app.example/clients/one',
  'https://app.example/clients/one.json/',
  'https://app.example/clients/one.json/two.json',
  'https://app.example/clients/One.json',
  'https://app.example/clients/one.json?a',
  'https://app.example:8443/clients/one.json',
  'https://www.app.example/clients/one.json',
  'https://app.example.evil.example/clients/one.json',
].map(exampleId)

const subject = fc.constantFrom(registered, document)
const values = ['read', 'write', 'declared', 'openid', 'offline_access', 'email', 'client-reg', 'client-reg:data']
const scopeValues = fc.uniqueArray(fc.constantFrom(...values))
const lifetime = fc.integer({ min: 1, max: 31_536_000 })

const entryOf = (client_id: fc.Arbitrary<ClientId>): fc.Arbitrary<ClientEntry> =>
  fc.record(
    {
      client_id,
      scope: scopeValues,
      resources: fc.subarray([files, mail]),
      access_token_lifetime: lifetime,
      refresh_token_lifetime: lifetime,
      skip_consent: fc.boolean(),
    },
    { requiredKeys: ['client_id'], noNullPrototype: true },
  )
const entry = entryOf(subject)

const example = exampleClient('a')
const client = fc
  .record({
    scope: fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 }), { nil: undefined }),
    allowed: fc.oneof(scopeValues, fc.constant<ValueSet>('any')),
    by: registeredBy(),
  })
  .map(({ scope, allowed, by }) => (client_id: ClientId): ScopeRequest['client'] => ({
    client_id,
    metadata: scope === undefined ? example.metadata : { ...example.metadata, scope: scope.join(' ') },
    privileges: { ...example.privileges, scope: allowed },
    registered_by: by,
  }))
const asked: fc.Arbitrary<Omit<ScopeRequest, 'client'>> = fc.record(
  {
    grant: fc.constantFrom('end_user' as const, 'client_credentials' as const),
    resources: fc.subarray([files, mail], { maxLength: 2 }),
    requested: fc.array(fc.constantFrom(...values)),
    granted: scopeValues,
  },
  { requiredKeys: ['grant', 'resources', 'requested'], noNullPrototype: true },
)
const settings: fc.Arbitrary<ScopeSettings> = fc.record({
  resources: fc.option(fc.array(fc.record({ resource: fc.constantFrom(files, mail), scope: scopeValues })), {
    nil: undefined,
  }),
  scopes: fc.constantFrom([], ['declared']),
})
const bothCeilings = fc.oneof(fc.constant(noPolicy.ceilings), ceilings())

const permitted = (rules: ScopeSettings, request: ScopeRequest): PermittedScope | undefined => {
  const decided = decideScope(rules)(request)
  return E.isRight(decided) ? decided.right : undefined
}
const isSubset = (one: ReadonlyArray<string>, other: ReadonlyArray<string> | 'any'): boolean =>
  other === 'any' || one.every((value) => other.includes(value))

it(
  'an entry adds nothing to the scope of a client, and takes all away that it does not have',
  [settings, entry, client, asked],
  (rules, about, clientOf, request) => {
    const whole = { ...request, client: clientOf(about.client_id) }
    const decided = permitted({ ...rules, clients: [about] }, whole)
    if (decided === undefined) return
    const without = permitted(rules, whole)
    assert.ok(without)
    assert.ok(isSubset(decided.scope, without.scope))
    assert.ok(isSubset(decided.scope, about.scope ?? 'any'))
    for (const { audience } of decided.resources) assert.ok(isSubset([audience], about.resources ?? 'any'))
  },
)

it(
  'a document gets the privileges of its entry or of all documents, and never more than the ceiling',
  [registrationMode(), bothCeilings, fc.option(scopeValues, { nil: undefined }), entryOf(fc.constant(document))],
  (mode, both, ofAll, about) => {
    if (!ClientIdUrl.is(document)) throw new Error(document)
    const policy: RegistrationPolicy = {
      ceilings: both,
      clients: [about],
      metadata_documents: { accept: 'any', scope: ofAll },
    }
    const given = documentPrivileges({ mode, policy }, document)
    assert.ok(permits(both.open)(given))
    if (about.scope !== undefined) assert.ok(isSubset(given.scope === 'any' ? ['any'] : given.scope, about.scope))
    else assert.equal(given, documentPrivileges({ mode, policy: { ...policy, clients: [] } }, document))
    const permit = permitDocument({ mode, policy, outboundFetches: true })
    const left = permit(document, { ...example.metadata, scope: values.join(' ') })
    if (E.isRight(left)) assert.ok(permits(given)({ ...requestedPrivileges(left.right.metadata), grant_types: [] }))
  },
)

it(
  'more values in the scope of an entry admit no less',
  [settings, entryOf(subject), scopeValues, client, asked],
  (rules, about, more, clientOf, request) => {
    const whole = { ...request, client: clientOf(about.client_id) }
    const decided = permitted({ ...rules, clients: [about] }, whole)
    if (decided === undefined || about.scope === undefined) return
    const wider = { ...about, scope: [...about.scope, ...more] }
    const again = permitted({ ...rules, clients: [wider] }, { ...whole, requested: decided.scope })
    assert.ok(again)
    assert.equal(again.scope, decided.scope)
  },
)

it(
  'of what was granted before, what the entry gives is left, and the whole of another client',
  [entry, scopeValues, fc.constantFrom(...others)],
  (about, granted, other) => {
    const left = withinEntry([about], about.client_id, granted)
    const given = about.scope ?? granted
    assert.equal(
      left,
      granted.filter((value) => given.includes(value)),
    )
    assert.is(withinEntry([about], other, granted), granted)
  },
)

it(
  'an entry changes nothing for another client_id, however alike',
  [settings, entry, fc.constantFrom(...others), client, asked, registrationMode(), lifetime],
  (rules, about, other, clientOf, request, mode, seconds) => {
    const clients = [about]
    assert.is(entryAbout(clients, other), undefined)
    const whole = { ...request, client: clientOf(other) }
    assert.equal(decideScope({ ...rules, clients })(whole), decideScope(rules)(whole))
    const policy: RegistrationPolicy = { ...noPolicy, clients }
    if (ClientIdUrl.is(other))
      assert.equal(documentPrivileges({ mode, policy }, other), documentPrivileges({ mode, policy: noPolicy }, other))
    const lifetimes = { access_token: seconds, refresh_token: seconds }
    for (const kind of ['access_token', 'refresh_token'] as const)
      assert.is(lifetimeOf(clients, lifetimes, other, kind), seconds)
    const stored = { ...example, client_id: other, metadata: { ...example.metadata, scope: values.join(' ') } }
    const judging = { mode, outboundFetches: true }
    assert.equal(
      judgeStoredClient({ ...judging, policy })(stored),
      judgeStoredClient({ ...judging, policy: noPolicy })(stored),
    )
    assert.ok(E.isRight(permitEntry(clients, other)(stored.metadata)))
    assert.is(explainEntry(policy, { client_id: other }), undefined)
  },
)

it(
  'no token lives longer than the service says, or than the entry says',
  [entry, lifetime, lifetime],
  (about, a, r) => {
    const lifetimes = { access_token: a, refresh_token: r }
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const seconds = lifetimeOf([about], lifetimes, about.client_id, kind)
      const ofEntry = about[`${kind}_lifetime`] ?? Infinity
      assert.ok(seconds <= lifetimes[kind] && seconds <= ofEntry && seconds >= 1)
      assert.ok(seconds === lifetimes[kind] || seconds === ofEntry)
    }
  },
)

it(
  'an entry skips a consent that nothing demands, of a client that is surely the one it is about',
  [
    consentRequest(),
    consentRequest(),
    consentPolicy(),
    fc.boolean(),
    fc.boolean(),
    fc.constantFrom('none', 'same', 'other'),
  ],
  (any, other, policy, mustAsk, isDocument, before) => {
    const about = isDocument ? { ...any.client, client_id: document } : any.client
    const request = { ...any, client: about, mustAsk }
    const clients: ClientEntries = [{ client_id: about.client_id, skip_consent: true }]
    const earlier =
      before === 'none'
        ? O.none
        : O.some(
            consentOf(
              before === 'same' ? request : { ...other, client: { ...other.client, client_id: about.client_id } },
            ),
          )
    const facts = describeForConsent(policy)(request, earlier)
    const decided = decideConsent({ ...policy, clients })(request, earlier, facts)
    const without = decideConsent(policy)(request, earlier, facts)
    const isPublic = about.metadata.token_endpoint_auth_method === 'none'
    const isOnDevice = facts.redirectHosts[0]?.kind !== 'web' || request.redirectUri.startsWith('http:')
    const isOther = facts.changes.some((each) => ['identity', 'name', 'redirect_hosts', 'keys'].includes(each))
    const isDemanded = mustAsk || request.scope.includes('offline_access') || (isPublic && isOnDevice) || isOther
    const isSure = isDocument || about.registered_by === 'master'
    if (without.kind === 'skip') assert.is(decided.kind, 'skip')
    else assert.equal(decided, isDemanded || !isSure ? without : { kind: 'skip', because: 'entry' })
    const unsaid: ClientEntries = [{ client_id: about.client_id, skip_consent: false }]
    assert.equal(decideConsent({ ...policy, clients: unsaid })(request, earlier, facts), without)
  },
)

it(
  'an entry skips no consent where any fact by which the end-user knows the client is another one',
  [
    consentRequest(),
    consentPolicy(),
    fc.boolean(),
    fc.constantFrom('identity', 'name', 'redirect_hosts', 'keys'),
    fc.anything(),
  ],
  (any, policy, isDocument, fact, stored) => {
    const request = { ...any, client: isDocument ? { ...any.client, client_id: document } : any.client }
    const { client_id } = request.client
    const given = consentOf(request)
    const earlier = O.some({ ...given, shown: { ...given.shown, [fact]: ['other', stored] } as typeof given.shown })
    const facts = describeForConsent(policy)(request, earlier)
    const asking = { ...policy, firstPartyClients: [], clients: [{ client_id, skip_consent: true }] }
    assert.is(decideConsent(asking)(request, earlier, facts).kind, 'ask')
  },
)

it(
  'an entry skips no consent of a client whose client_id is another one',
  [consentRequest(), consentPolicy(), fc.constantFrom(...others), subject],
  (any, policy, other, client_id) => {
    const request = { ...any, client: { ...any.client, client_id: other } }
    const facts = describeForConsent(policy)(request, O.none)
    const clients = [{ client_id, skip_consent: true }]
    assert.equal(
      decideConsent({ ...policy, clients })(request, O.none, facts),
      decideConsent(policy)(request, O.none, facts),
    )
  },
)

it(
  'an own update stays within the entry, and a stored client is judged as one',
  [entryOf(fc.constant(registered)), scopeValues, registrationMode()],
  (about, scope, mode) => {
    const metadata = scope.length === 0 ? example.metadata : { ...example.metadata, scope: scope.join(' ') }
    const isWithin = isSubset(scope, about.scope ?? 'any')
    const policy = { ...noPolicy, clients: [about] }
    const updated = permitEntry(policy.clients, registered)(metadata)
    assert.is(E.isRight(updated), isWithin)
    if (E.isLeft(updated)) assert.match(updated.left.error_description, /^scope: .*entry in clients.*ask the operator/)
    const stored = { ...example, client_id: registered, metadata: { ...example.metadata, ...metadata } }
    const { beyond_entry = [] } = judgeStoredClient({ mode, policy, outboundFetches: true })(stored)
    assert.is(beyond_entry.length === 0, isWithin)
    assert.ok(isSubset(beyond_entry, scope))
  },
)

it('an entry is explained by its place and by each of its parts', [fc.array(entry), subject], (all, client_id) => {
  const clients = all.filter((each, index) => all.findIndex((one) => one.client_id === each.client_id) === index)
  const explained = explainEntry({ ...noPolicy, clients }, { client_id })
  const about = entryAbout(clients, client_id)
  assert.is(explained === undefined, about === undefined)
  if (explained === undefined || about === undefined) return
  assert.is(clients[Number(explained.pointer.replace('/clients/', ''))], about)
  const bounds = Object.entries(about).filter(([name, value]) => name !== 'client_id' && value !== false)
  assert.is(explained.effects.length, bounds.length)
})

it(
  'an entry is said to skip the consent of the clients for which it counts, and of no others',
  [consentRequest(), consentPolicy(), fc.boolean()],
  (any, policy, isDocument) => {
    const about = isDocument ? { ...any.client, client_id: document } : any.client
    const request = { ...any, client: about, scope: ['openid'] }
    const clients = [{ client_id: about.client_id, skip_consent: true }]
    const facts = describeForConsent(policy)(request, O.none)
    const decided = decideConsent({ ...policy, firstPartyClients: [], clients })(request, O.none, facts)
    const [said = ''] = explainEntry({ ...noPolicy, clients }, about)?.effects ?? []
    if (decided.kind === 'skip') assert.match(said, /^end-users are not asked/)
    assert.is(said.startsWith('skip_consent has no effect'), !isDocument && about.registered_by !== 'master')
  },
)

// What operators write.

const faultsOf = (value: unknown) => {
  const decoded = decodeRegistrationPolicy(value)
  return E.isLeft(decoded) ? decoded.left : []
}
const pointersOf = (value: unknown) => faultsOf(value).map(({ pointer }) => pointer)

it('any list of entries is read, or all of its faults are told', [fc.array(fc.anything())], (clients) => {
  const decoded = decodeRegistrationPolicy({ clients })
  if (E.isRight(decoded)) for (const { client_id } of decoded.right.clients ?? []) assert.ok(ClientId.is(client_id))
  else assert.ok(decoded.left.length > 0)
})

it(
  'valid entries are read as they are written',
  [fc.uniqueArray(entry, { selector: (each) => each.client_id })],
  (clients) => assert.equal(decodeRegistrationPolicy({ clients }), E.right({ ...noPolicy, clients })),
)

Entries(
  'a host, the beginning of a URL and another spelling of a URL are no client_id, and the fault says what is',
  () => {
    for (const wrong of [
      '',
      '*',
      '*.app.example',
      'https://app.example',
      'https://*.app.example/client.json',
      'https://App.example/client.json',
      'https://app.example:443/client.json',
      'https://app.example/%63lient.json',
      'https://app.example/a/../client.json',
      'https://app.example/client.json#a',
      'https://user@app.example/client.json',
      'http://app.example/client.json',
      'app.example/client.json',
      '//app.example/client.json',
      'app.example:443',
      's6BhdRkqt3 ',
      'a b',
      '..',
      'a'.repeat(129),
      1,
      null,
      ['s6BhdRkqt3'],
      undefined,
    ]) {
      const [fault, ...more] = faultsOf({ clients: [{ client_id: registered }, { client_id: wrong, scope: [] }] })
      assert.is(fault?.pointer, '/clients/1/client_id', String(wrong))
      assert.match(
        String(fault?.description),
        /complete URL of a metadata document.*metadata_documents has lists for hosts/,
      )
      assert.equal(more, [])
    }
  },
)

Entries('a host of metadata_documents is no client, whichever list names it', () => {
  for (const list of [
    { allowed_hosts: ['app.example'] },
    { allowed_hosts: ['*.example'] },
    { denied_hosts: ['app.example'] },
    { allowed_url_prefixes: ['https://app.example/clients/'] },
    { denied_url_prefixes: ['https://app.example/clients/'] },
  ]) {
    const metadata_documents = { accept: 'listed', ...list }
    const clients = [{ client_id: document }, { client_id: 'app.example' }]
    const [fault, ...more] = faultsOf({ metadata_documents, clients })
    assert.is(fault?.pointer, '/clients/1/client_id')
    assert.match(String(fault?.description), 'write the complete URL of its document')
    assert.equal(more, [])
  }
  const metadata_documents = { accept: 'listed', allowed_hosts: ['app.example', '*.app.example'] }
  for (const [client_id, pointers] of [
    ['App.Example', ['/clients/0/client_id']],
    ['www.app.example', ['/clients/0/client_id']],
    ['https://app.example/www.app.example', []],
    ['https://other.example/a.app.example', []],
    ['other.example', []],
  ] as const)
    assert.equal(pointersOf({ metadata_documents, clients: [{ client_id }] }), pointers, client_id)
  // A registration may have such an identifier.
  assert.equal(pointersOf({ clients: [{ client_id: 'com.example.app' }] }), [])
})

Entries('all faults of entries are told at once, and each client has one', () => {
  const hostile = {
    client_id: registered,
    scope: ['a b', ''],
    resources: ['files', `${files}#a`, 'http://files.example/', 'https://user@files.example/'],
    access_token_lifetime: 0,
    refresh_token_lifetime: 31_536_001,
    skip_consent: 'yes',
    consent: true,
  }
  assert.equal(
    pointersOf({ clients: [hostile, 'all', []] }),
    [
      '/0/scope/0',
      '/0/scope/1',
      '/0/resources/0',
      '/0/resources/1',
      '/0/resources/2',
      '/0/resources/3',
      '/0/access_token_lifetime',
      '/0/refresh_token_lifetime',
      '/0/skip_consent',
      '/0/consent',
      '/1',
      '/2',
    ].map((place) => `/clients${place}`),
  )
  const twice = [{ client_id: registered }, { client_id: document }, { client_id: registered, scope: [] }]
  assert.equal(pointersOf({ clients: twice }), ['/clients/2/client_id'])
  assert.equal(pointersOf({ clients: [...twice, 1] }).sort(), ['/clients/2/client_id', '/clients/3'])
  for (const clients of [{}, 'all', null, { [registered]: {} }]) assert.equal(pointersOf({ clients }), ['/clients'])
})

Entries('a refusal names the member, the rule and the remedy', () => {
  const rules = { resources: undefined, scopes: [] }
  const clients = [{ client_id: registered, scope: ['openid'], resources: [files] }]
  const asking = (requested: ReadonlyArray<string>, resources: ReadonlyArray<string>) =>
    decideScope({ ...rules, clients })({
      client: { ...example, client_id: registered, registered_by: 'master' },
      grant: 'end_user',
      resources,
      requested,
    })
  const said = (decided: ReturnType<typeof asking>): string =>
    E.isLeft(decided) ? `${decided.left.error}: ${decided.left.error_description}` : 'permitted'
  assert.match(
    said(asking(['openid', 'email'], [])),
    /^invalid_scope: scope has .*add it to scope of the entry in clients/,
  )
  assert.match(
    said(asking([], [mail])),
    /^invalid_target: resource is not .*leave it out, or let the operator add it to resources of the entry in clients/,
  )
  assert.is(said(asking(['openid'], [files])), 'permitted')
})

Entries.run()
