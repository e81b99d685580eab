import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Checked,
  type ComparedPrivileges,
  type Decided,
  type Fault,
  type Privileges,
  type ReadPrivileges,
  type Refused,
  type Registered,
  type RegistrationRequest,
  type Settings,
  type UpdateRequest,
  checkClientMetadata,
  comparePrivileges,
  decideRegistration,
  decideUpdate,
  matchRedirectUri,
  readPrivileges,
} from '../../src/plain/index.js'

const Examples = suite('examples of the plain functions')

const body = { redirect_uris: ['https://rp.example/callback'] }
const issued = { client_id: 'my-client', client_secret: 'a'.repeat(43), at: 1_893_456_000 }
const later = { client_secret: 'b'.repeat(43), at: issued.at + 10 }

type Answer = Checked | ComparedPrivileges | Decided | ReadPrivileges | Refused
type Stored = Pick<UpdateRequest, 'client' | 'registered'>

const faultsOf = (answer: Answer): ReadonlyArray<Fault> => (answer.ok ? [] : answer.faults)

const open = { allowOpenRegistration: true }

const stored = (sent: object, settings: Settings = open, granted?: string): Stored => {
  const request: RegistrationRequest = { body: sent, issued, granted }
  const decided = decideRegistration(request, settings)
  assert.ok(decided.ok, JSON.stringify(decided))
  return { client: decided.client, registered: decided.registered }
}

const registered = (sent: object, settings: Settings = open) => stored(sent, settings).client

Examples('a fault leads to the section of the standard, where one imposes the rule', () => {
  const [fault, ...others] = faultsOf(checkClientMetadata({ redirect_uris: ['https://rp.example/#'] }))
  assert.equal(others, [])
  assert.equal(fault, {
    code: 'invalid_redirect_uri',
    text: 'an entry of redirect_uris must not have a fragment: leave out # and what follows',
    member: 'redirect_uris',
    pointer: '/redirect_uris/0',
    rule: 'uri-fragment',
    documentation: 'https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2',
  })
  const [own = fault] = faultsOf(checkClientMetadata(body, { policy: { required_members: ['contacts'] } }))
  assert.equal([own?.rule, own !== undefined && 'documentation' in own], ['policy-required', false])
})

Examples('a fault of the whole has no member', () => {
  const uris = Array.from({ length: 60 }, (_, place) => `https://rp.example/${place}#`)
  const faults = faultsOf(checkClientMetadata({ redirect_uris: uris }))
  const last = faults.at(-1)
  assert.is(faults.length, 50)
  assert.equal([last?.rule, last !== undefined && ('member' in last || 'pointer' in last)], ['more-faults', false])
})

Examples('what the caller fetches, and where it runs, is taken', () => {
  const sector = { ...body, sector_identifier_uri: 'https://rp.example/uris.json' }
  assert.equal(
    faultsOf(checkClientMetadata(sector)).map(({ rule }) => rule),
    ['sector-identifier-off'],
  )
  assert.ok(checkClientMetadata(sector, { outboundFetches: true }).ok)
  const notified = { ...body, backchannel_logout_uri: 'http://127.0.0.1:8080/logout' }
  assert.equal(
    faultsOf(checkClientMetadata(notified)).map(({ rule }) => rule),
    ['https-uri'],
  )
  assert.ok(checkClientMetadata(notified, { isOnLoopback: true }).ok)
})

const codeOf = (sent: object, settings: Settings, granted?: string): string | undefined =>
  faultsOf(decideRegistration({ body: sent, issued, granted }, settings))[0]?.code

Examples('a registration uses no more than the scope of its requester permits', () => {
  const implicit = { ...body, grant_types: ['implicit'], response_types: ['id_token token'] }
  assert.is(codeOf(implicit, {}, 'client-reg:grant:client'), 'insufficient_scope')
  assert.is(codeOf(body, {}), 'missing_token')
  assert.is(codeOf(body, { allowOpenRegistration: 'no' as never }), 'missing_token')
  assert.is(codeOf(body, {}, 'client-reg:grant:code'), undefined)
})

Examples('where registration is open, everybody may do what it permits, with a scope or without', () => {
  const scoped = { ...body, scope: 'files:read' }
  const settings = { ...open, openRegistrationScopes: 'files:read files:write', policy: { approve: ['anonymous'] } }
  assert.is(codeOf(scoped, open), 'missing_token')
  assert.equal(stored(scoped, settings).registered.by, 'nobody')
  assert.equal(stored(scoped, settings).client.approval, { state: 'pending' })
  assert.equal(stored(scoped, settings, 'client-reg:data').registered.by, 'token')
  assert.is(codeOf(scoped, { ...settings, policy: { ceilings: { open: { scope: ['openid'] } } } }), 'missing_token')
})

Examples('a refusal for privileges names the scope values that a token needs', () => {
  const neededBy = (sent: object, settings: Settings, granted?: string) =>
    faultsOf(decideRegistration({ body: sent, issued, granted }, settings))[0]?.needed
  const more = { ...body, grant_types: ['authorization_code', 'password'], scope: 'openid' }
  const password = ['client-reg:grant:password', 'client-reg:scope:openid']
  assert.equal(neededBy(more, {}, 'client-reg:grant:code'), password)
  assert.equal(neededBy(more, open), password)
  assert.equal(neededBy(body, {}), ['client-reg:grant:code'])
  const policy = { ceilings: { managed: { scope: ['email'] } } }
  assert.is(neededBy(more, { policy }, 'client-reg:grant:code'), undefined)
  assert.is(neededBy({ ...body, scope: 'client-reg' }, {}, 'client-reg:grant:code'), undefined)
  assert.is(neededBy({ redirect_uris: 5 }, {}, 'client-reg'), undefined)
})

// Those of our service, with hyphens, are not settings of another server.
Examples('a text for a client names no setting of our service', () => {
  const textOf = (sent: object, settings: Settings = open) =>
    faultsOf(decideRegistration({ body: { ...body, ...sent }, issued }, settings))[0]?.text
  assert.is(
    textOf({ sector_identifier_uri: 'https://rp.example/uris.json' }),
    'sector_identifier_uri cannot be checked, because this service fetches nothing: leave it out',
  )
  assert.is(
    textOf({ software_statement: 'e30.e30.c2ln' }),
    'software_statement is not from an issuer that this service trusts: leave it out',
  )
  assert.match(textOf({ id_token_signed_response_alg: 'HS512' }) ?? '', /Choose an algorithm that needs fewer$/)
  const openid = { ...open, openRegistrationScopes: 'openid email' }
  assert.match(textOf({ scope: 'phone' }, openid) ?? '', /ask for no more than email openid$/)
  const policy = { allowed_redirect_hosts: ['other.example'] }
  assert.match(textOf({}, { policy, ...open }) ?? '', /ask the operator to add it to allowed_redirect_hosts$/)
})

Examples('what is decided shares nothing with the body, the defaults and the settings', () => {
  const sent = { redirect_uris: [...body.redirect_uris], data: { one: ['a'] } }
  const { client, registered: permitted } = stored(sent, {}, 'client-reg')
  const checked = checkClientMetadata(sent)
  assert.ok(checked.ok)
  sent.redirect_uris.push('https://evil.example/callback')
  sent.data.one.push('b')
  for (const each of [client, checked.metadata]) {
    assert.equal(each.redirect_uris, body.redirect_uris)
    assert.equal(each['data'], { one: ['a'] })
    Object.assign(each.grant_types, ['password'])
  }
  Object.assign(permitted.privileges, { data: false })
  assert.equal(stored(body, {}, 'client-reg').client.grant_types, ['authorization_code'])
  assert.is(stored(body, {}, 'client-reg').registered.privileges.data, true)
})

Examples('a lenient registration says what it left out and changed', () => {
  const sloppy = {
    ...body,
    client_uri: null,
    tos_uri: '',
    application_type: null,
    grant_types: ['authorization_code', 'authorization_code'],
    contacts: [],
    more: 1,
  }
  for (const answer of [
    decideRegistration({ body: sloppy, issued }, { ...open, lenient: true }),
    checkClientMetadata(sloppy, { lenient: true }),
  ]) {
    assert.ok(answer.ok)
    assert.equal([...answer.dropped].sort(), ['client_uri', 'more', 'tos_uri'])
    assert.is(answer.added['application_type'], 'web')
    assert.equal(answer.added['grant_types'], ['authorization_code'])
    assert.not('contacts' in answer.added)
  }
})

Examples('a client_secret ends after its lifetime, for a century at most', () => {
  const century = 3_155_760_000
  const { client_secret, client_secret_expires_at } = registered(body, { ...open, clientSecretLifetime: century })
  assert.equal([client_secret, client_secret_expires_at], [issued.client_secret, issued.at + century])
  const { client_secret_expires_at: never } = registered(body)
  assert.is(never, 0)
})

Examples('a secret is text of printable ASCII, at its beginning as well', () => {
  const wrong: ReadonlyArray<unknown> = [[issued.client_secret], `\u00e9${issued.client_secret}`]
  for (const client_secret of wrong) {
    const decided = decideRegistration({ body, issued: { ...issued, client_secret: client_secret as string } })
    assert.equal(
      faultsOf(decided).map(({ code, member }) => [code, member]),
      [['server_error', 'issued']],
    )
  }
})

Examples('an update keeps the secret, makes one where there is none, and drops one of no use', () => {
  const secretAfter = (first: object, second: object): string | undefined => {
    const updated = decideUpdate({ ...stored(first), body: second, issued: later })
    assert.ok(updated.ok, JSON.stringify(updated))
    return updated.client.client_secret
  }
  const without = { ...body, token_endpoint_auth_method: 'none' }
  assert.is(secretAfter(body, { ...body, client_name: 'Shop' }), issued.client_secret)
  assert.is(secretAfter(without, body), later.client_secret)
  assert.is(secretAfter(body, without), undefined)
})

Examples('an update that repeats what identifies the client leaves nothing of it out', () => {
  const first = stored(body)
  const { client_id, client_secret } = first.client
  const updated = decideUpdate({ ...first, body: { ...body, client_id, client_secret, more: 1 }, issued: later })
  assert.ok(updated.ok)
  assert.equal(updated.dropped, ['more'])
})

Examples('an update keeps what the client has already, and adds nothing beyond what the registration permitted', () => {
  const first = stored({ ...body, grant_types: ['authorization_code', 'password'] }, open, 'client-reg:grant:password')
  const update = (grant_types: ReadonlyArray<string>) =>
    decideUpdate({ ...first, body: { ...body, grant_types }, issued: later })
  assert.ok(update(['password', 'authorization_code']).ok)
  assert.equal(
    faultsOf(update(['authorization_code', 'client_credentials'])).map(({ code }) => code),
    ['insufficient_scope'],
  )
})

Examples('a later policy with a higher ceiling adds nothing to what the registration permitted', () => {
  const upTo = (...grant_types: ReadonlyArray<string>) => ({
    ...open,
    policy: { ceilings: { managed: { grant_types } } },
  })
  const first = stored(body, upTo('authorization_code'), 'client-reg')
  const { privileges }: Registered = first.registered
  const { grant_types: granted }: Privileges = privileges
  assert.equal(granted, ['authorization_code', 'implicit', 'refresh_token'])
  const update = { ...first, body: { ...body, grant_types: ['authorization_code', 'password'] }, issued: later }
  const faults = faultsOf(decideUpdate(update, upTo('authorization_code', 'password')))
  assert.equal(
    faults.map(({ code }) => code),
    ['insufficient_scope'],
  )
})

Examples('a client that waits for an approval says so, also after an update', () => {
  const settings = { ...open, policy: { approve: ['anonymous'] } }
  const { client, registered } = stored(body, settings)
  assert.equal(client.approval, { state: 'pending' })
  const refused = { ...client, approval: { state: 'refused', reason: 'Not this name' } as const }
  const same = decideUpdate({ client: refused, registered, body, issued: later }, settings)
  assert.ok(same.ok)
  assert.equal(same.client.approval, refused.approval)
  const renamed = decideUpdate(
    { client: refused, registered, body: { ...body, client_name: 'Shop' }, issued: later },
    settings,
  )
  assert.ok(renamed.ok)
  assert.equal(renamed.client.approval, { state: 'pending' })
})

Examples('a redirection URI of a native client matches on any port of loopback', () => {
  const redirect_uris = ['http://127.0.0.1/callback']
  const requested = 'http://127.0.0.1:51004/callback'
  assert.is(matchRedirectUri({ application_type: 'native', redirect_uris }, requested), redirect_uris[0])
  for (const type of ['web', undefined, 'NATIVE'])
    assert.is(matchRedirectUri({ application_type: type as never, redirect_uris }, requested), undefined)
  assert.is(matchRedirectUri({ redirect_uris }, redirect_uris[0]), redirect_uris[0])
})

Examples('nothing matches where no redirection URI is registered', () => {
  const native = { application_type: 'native' } as const
  assert.is(matchRedirectUri(native, 'http://127.0.0.1/callback'), undefined)
  assert.is(matchRedirectUri({ ...native, redirect_uris: [5, null] as never }, 'http://127.0.0.1/callback'), undefined)
  assert.is(matchRedirectUri(null as never, 'http://127.0.0.1/callback'), undefined)
})

Examples('privileges are those of a known scope of registration', () => {
  const code = ['invalid_scope']
  const codesOf = (answer: Answer) => faultsOf(answer).map((fault) => fault.code)
  assert.equal(codesOf(readPrivileges('openid')), code)
  assert.equal(codesOf(comparePrivileges('openid', 'client-reg')), code)
  assert.equal(codesOf(comparePrivileges('client-reg', 'openid')), code)
  const compared = comparePrivileges('client-reg:grant:code', 'client-reg:grant:password client-reg:data')
  assert.ok(compared.ok)
  assert.equal([compared.permitted, compared.needed], [false, ['client-reg:grant:password', 'client-reg:data']])
})

Examples.run()
