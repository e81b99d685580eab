import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type UpstreamPresets, decodeUpstreams, standardClaims } from '../../src/provider/upstreams.js'
import { law } from '@clientele/testing'

const Upstreams = suite('the providers of the settings')
const it = law(Upstreams)

const presets: UpstreamPresets = {
  directory: {
    members: { name: 'Directory', issuer: 'https://login.example/{tenant}/v2.0' },
    needs: { tenant: { pattern: /^[a-f\d]{8}$/, rule: 'must be the id of the directory' } },
  },
  forge: {
    members: {
      name: 'Forge',
      kind: 'oauth2',
      issuer: 'https://forge.example',
      authorization_endpoint: 'https://forge.example/authorize',
      token_endpoint: 'https://forge.example/token',
      user_endpoint: 'https://api.forge.example/user?full=true',
      subject_member: 'id',
      claim_members: { preferred_username: 'login' },
    },
    needs: {},
  },
}

const registered = { client_id: 'clientele', client_secret_file: '/run/secrets/one' }
const own = { ...registered, name: 'Staff', issuer: 'https://accounts.example' }

const decode = decodeUpstreams(presets)

const faultsOf = (value: unknown): ReadonlyArray<string> => {
  const decoded = decode(value)
  return E.isRight(decoded) ? [] : decoded.left.map(({ pointer, description }) => `${pointer} ${description}`)
}

const decoded = (value: unknown) => {
  const read = decode(value)
  if (E.isLeft(read)) throw new Error(JSON.stringify(read.left))
  return read.right
}

Upstreams('have the defaults of the settings of one provider, in their order', () => {
  const [staff, forge, ...others] = decoded({ staff: own, forge: { ...registered, preset: 'forge' } })
  assert.equal(others, [])
  assert.equal(staff, {
    ...own,
    id: 'staff',
    client_authentication: 'client_secret_basic',
    scope: ['openid', 'profile', 'email'],
    required: [],
    subjectClaim: undefined,
    claims: standardClaims,
    plain: undefined,
  })
  assert.equal([forge?.id, forge?.name, forge?.scope], ['forge', 'Forge', []])
  assert.equal(forge?.claims, ['preferred_username', 'email', 'email_verified'])
  assert.is(forge?.plain?.user_endpoint, 'https://api.forge.example/user?full=true')
})

Upstreams('say more than their preset, and fill the places of its issuer', () => {
  const tenant = 'deadbeef'
  const [given, renamed] = decoded({
    one: { ...registered, preset: 'directory', tenant },
    two: { ...registered, preset: 'directory', tenant, name: 'Ours', required_claims: { groups: ['a', 'b'] } },
  })
  assert.equal([given?.name, given?.issuer], ['Directory', 'https://login.example/deadbeef/v2.0'])
  assert.equal([renamed?.name, renamed?.required], ['Ours', [{ claim: 'groups', values: ['a', 'b'] }]])
})

Upstreams('are refused with all faults at once, each with its place', () => {
  const faults = faultsOf({
    One: own,
    two: { preset: 'directory' },
    three: { ...own, name: 'Three', preset: 'nothing' },
    four: { ...own, name: 'Four', issuer: 'http://accounts.example', scope: 'profile', claims: 'name', extra: 1 },
    five: 'text',
    six: { ...registered, preset: 'forge', claims: ['name'], claim_members: { sub: 'id', name: 7 } },
    seven: { ...own, name: 'Seven', kind: 'saml', required_claims: {} },
  })
  const expected = [
    /^\/One must have another name/,
    /^\/two\/tenant must be the id of the directory$/,
    /^\/two\/client_id must/,
    /^\/two\/client_secret_file must/,
    /^\/three\/preset must be one of directory, forge$/,
    /^\/four\/issuer must .*https/,
    /^\/four\/scope must .*openid/,
    /^\/four\/claims must be a JSON array/,
    /^\/four\/extra is unknown/,
    /^\/five must be a JSON object/,
    /^\/six\/claim_members\/sub must be left out/,
    /^\/six\/claim_members\/name must be the name of a member/,
    /^\/six\/claims is unknown/,
    /^\/seven\/required_claims must name a claim/,
    /^\/seven\/kind must be openid or oauth2/,
  ]
  assert.is(faults.length, expected.length, faults.join('\n'))
  for (const [index, pattern] of expected.entries()) assert.match(faults[index] ?? '', pattern)
  for (const [value, told] of [
    [[], /JSON object/],
    [{}, /at least one/],
    [Object.fromEntries(Array.from({ length: 21 }, (_, each) => [`p${each}`, own])), /at most 20/],
  ] as const)
    assert.match(faultsOf(value).join(), told)
})

// What leads to this machine is the issuer alone.
Upstreams('on loopback have all endpoints where the issuer is', () => {
  const issuer = 'http://localhost:8081/realms/one'
  const at = (more: object) => faultsOf({ forge: { ...registered, preset: 'forge', issuer, ...more } })
  const endpoints = {
    authorization_endpoint: 'http://localhost:8081/authorize',
    token_endpoint: 'http://localhost:8081/token',
    user_endpoint: 'http://localhost:8081/user',
    emails_endpoint: 'http://localhost:8081/emails',
  }
  assert.equal(at(endpoints), [])
  for (const other of ['http://localhost:8082/x', 'http://127.0.0.1:8081/x', 'http://localhost/x'])
    for (const name of Object.keys(endpoints))
      assert.match(
        at({ ...endpoints, [name]: other }).join(),
        new RegExp(`^/forge/${name} must have scheme, host and port`),
      )
  for (const url of [
    'http://forge.example/x',
    'https://forge.example/#x',
    'https://u@forge.example/',
    'https://%%',
    'ftp://x',
  ])
    assert.match(at({ ...endpoints, token_endpoint: url }).join(), /^\/forge\/token_endpoint must be an https URL/)
  assert.match(faultsOf({ one: { ...own, issuer: 'https://accounts.example/?a' } }).join(), /^\/one\/issuer must/)
})

// OpenID Connect Core §5.7
Upstreams('take sub from a claim only where there is one provider', () => {
  const claimed = { ...own, subject_claim: 'email' }
  assert.is(decoded({ staff: claimed })[0]?.subjectClaim, 'email')
  const faults = faultsOf({ staff: claimed, forge: { ...registered, preset: 'forge' } })
  assert.is(faults.length, 1, faults.join('\n'))
  assert.match(faults[0] ?? '', /^\/staff\/subject_claim must be left out where there are several providers/)
})

Upstreams('name the issuer of their own where the endpoints are not those of the preset', () => {
  const at = (more: object) => faultsOf({ forge: { ...registered, preset: 'forge', ...more } })
  for (const name of ['authorization_endpoint', 'token_endpoint', 'user_endpoint']) {
    assert.match(at({ [name]: 'https://other.example/x' }).join(), /^\/forge\/issuer must be named beside endpoints/)
    assert.equal(at({ [name]: 'https://other.example/x', issuer: 'https://other.example' }), [])
    assert.equal(at({ [name]: presets['forge']?.members[name] }), [])
  }
  const endpoints = {
    authorization_endpoint: 'https://other.example/authorize',
    token_endpoint: 'https://other.example/token',
    user_endpoint: 'https://other.example/user',
  }
  const other = {
    ...{ ...registered, ...endpoints, preset: 'directory', tenant: 'deadbeef' },
    ...{ kind: 'oauth2', subject_member: 'id' },
  }
  assert.match(faultsOf({ one: other }).join(), /\/one\/issuer must be named beside endpoints/)
})

Upstreams('of one issuer mean the same end-users by sub', () => {
  const forge = { ...registered, preset: 'forge' }
  const two = (more: object) => faultsOf({ forge, other: { ...forge, name: 'Other', ...more } })
  assert.equal(two({ client_id: 'another' }), [])
  assert.equal(two({ subject_member: 'login', issuer: 'https://other.example' }), [])
  const issuer = 'https://forge.example'
  for (const same of [issuer, `${issuer}/`, 'https://FORGE.example:443/'])
    for (const more of [{ subject_member: 'login' }, { user_endpoint: 'https://other.example/user' }])
      assert.match(
        two({ issuer: same, ...more }).join(),
        /^\/other\/issuer must be another one than that of forge, or kind, user_endpoint and subject_member must be the same/,
      )
  assert.match(faultsOf({ forge, staff: { ...own, issuer } }).join(), /^\/staff\/issuer must be another one/)
})

Upstreams('without OpenID require only claims that the server gives', () => {
  const at = (required: object, more: object = {}) =>
    faultsOf({ forge: { ...registered, preset: 'forge', required_claims: required, ...more } })
  const emails_endpoint = 'https://api.forge.example/emails'
  const claim_members = { email: 'mail', email_verified: 'confirmed', org: 'org' }
  const email = { email: '@example.com', '/email': '@example.com', email_verified: true }
  for (const [required, more] of [
    [{ preferred_username: 'ada', '/preferred_username': 'ada' }, {}],
    [{ org: 'a', '/org/name': 'a', ...email }, { claim_members }],
    [email, { emails_endpoint }],
    [{ email_verified: true }, { claim_members: { email_verified: 'confirmed' } }],
  ] as const)
    assert.equal(at(required, more), [])
  for (const [required, place, more] of [
    [{ sub: '7' }, 'sub', {}],
    [{ groups: 'a' }, 'groups', { claim_members }],
    [{ '/teams/0': 'a' }, '~1teams~10', {}],
    [{ email: '@example.com' }, 'email', {}],
    [{ email: '@example.com' }, 'email', { claim_members: { email: 'mail' } }],
    [{ '/email': '@example.com' }, '~1email', {}],
  ] as const) {
    const faults = at(required, more)
    assert.is(faults.length, 1, faults.join('\n'))
    assert.match(faults[0] ?? '', `/forge/required_claims/${place} must be a claim of claim_members`)
  }
  assert.equal(faultsOf({ staff: { ...own, required_claims: { sub: '7', groups: 'a' } } }), [])
})

Upstreams('have one source of the address, and a name of their own', () => {
  const forge = { ...registered, preset: 'forge' }
  const two = { emails_endpoint: 'https://api.forge.example/emails', claim_members: { email: 'mail', name: 'name' } }
  const faults = faultsOf({ forge: { ...forge, ...two }, one: { ...own, name: 'Forge' } })
  assert.is(faults.length, 2, faults.join('\n'))
  assert.match(faults[0] ?? '', /^\/forge\/claim_members\/email must be left out beside emails_endpoint/)
  assert.match(faults[1] ?? '', /^\/one\/name must be another one than that of forge/)
})

const anyEntry = fc.oneof(
  fc.anything(),
  fc.record(
    {
      preset: fc.oneof(fc.constantFrom('forge', 'directory', '__proto__', 'constructor'), fc.anything()),
      kind: fc.constantFrom('openid', 'oauth2', 'x'),
      name: fc.oneof(fc.string(), fc.anything()),
      issuer: fc.oneof(fc.webUrl(), fc.constant('https://{tenant}.example'), fc.anything()),
      tenant: fc.oneof(fc.constant('deadbeef'), fc.anything()),
      required_claims: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.anything()),
      user_endpoint: fc.oneof(fc.webUrl(), fc.anything()),
      subject_member: fc.oneof(fc.constantFrom('id', 'login'), fc.anything()),
      subject_claim: fc.oneof(fc.constant('email'), fc.anything()),
      client_id: fc.oneof(fc.constant('clientele'), fc.anything()),
      client_secret_file: fc.oneof(fc.constant('/run/secrets/one'), fc.anything()),
      scope: fc.oneof(fc.constant('openid'), fc.anything()),
      claim_members: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.anything()),
    },
    { requiredKeys: [] },
  ),
)

it(
  'whatever is given, is refused with places, or is one provider for each member, whose URLs can be read',
  [fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom('one', 'two', 'Three', '__proto__'), anyEntry))],
  (value) => {
    const read = decode(value)
    if (E.isLeft(read))
      return assert.ok(read.left.length > 0 && read.left.every(({ description }) => description !== ''))
    assert.equal(
      read.right.map(({ id }) => id),
      Object.keys(Object(value)),
    )
    for (const { issuer, plain } of read.right)
      for (const url of [issuer, plain?.token_endpoint ?? issuer])
        assert.ok(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), url)
    if (read.right.length > 1) for (const { subjectClaim } of read.right) assert.is(subjectClaim, undefined)
  },
)

Upstreams.run()
