import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { permitRegistration, permitUpdate } from '../../src/registration/permit.js'
import { type Privileges, allPrivileges, grantPrivilege, noPrivileges } from '../../src/authorization/registrant.js'
import type { ClientMetadata } from '../../src/client/metadata.js'
import { validate } from '@clientele/testing'

const PermitRegistration = suite('permitRegistration')

type Asking = Partial<Parameters<ReturnType<typeof permitRegistration>>[0]>

const refusalOf = (registrant: Parameters<typeof permitRegistration>[0], asking: Asking) => {
  const metadata = validate({ redirect_uris: ['https://rp.example/'] }).metadata
  const whole = { metadata, preferred_client_id: undefined, preferred_client_secret: undefined, ...asking }
  const answer = permitRegistration(registrant)(whole)
  return E.isLeft(answer) ? answer.left : undefined
}

const saying = (granted: Privileges, asking: Asking): string => {
  const refusal = refusalOf({ granted, by: 'token', consumedToken: O.none }, asking)
  return refusal?.error === 'insufficient_scope' ? refusal.error_description : 'permitted'
}

const code = grantPrivilege('authorization_code')
const requested = (members: object): ClientMetadata =>
  validate({ redirect_uris: ['https://rp.example/'], ...members }).metadata

PermitRegistration('the refusal names what is missing, and the scope values that would give it, and no other', () => {
  assert.is(saying(code, {}), 'permitted')
  assert.is(saying(noPrivileges, {}), 'grant_types: beyond what the token permits, needed: client-reg:grant:code')
  assert.is(
    saying({ ...code, scope: ['openid'] }, { metadata: requested({ scope: 'openid email phone' }) }),
    'scope (email phone): beyond what the token permits, needed: client-reg:scope:email client-reg:scope:phone',
  )
  const many = Array.from({ length: 9 }, (_, index) => `value-${index}`)
  assert.is(
    saying(code, { metadata: requested({ scope: many.join(' ') }) }),
    'scope: beyond what the token permits, needed: client-reg:scope (client-reg:scope:VALUE for each value is enough)',
  )
  assert.is(
    saying(code, { metadata: requested({ data: {} }) }),
    'data: beyond what the token permits, needed: client-reg:data',
  )
  assert.is(
    saying(code, { preferred_client_secret: 's'.repeat(32) }),
    'preferred_client_secret: beyond what the token permits, needed: client-reg:set-secret',
  )
  const grant_types = ['authorization_code', 'refresh_token', 'urn:example:of-tomorrow']
  assert.is(
    saying({ ...noPrivileges, scope: 'any' }, { metadata: requested({ grant_types, scope: 'a b', data: {} }) }),
    'grant_types, data: beyond what the token permits, ' +
      'needed: client-reg:grant:code client-reg:grant:refresh client-reg client-reg:data',
  )
})

const granted = grantPrivilege('authorization_code')
const byToken = { granted, by: 'token', consumedToken: O.none } as const
const byNobody = { granted, by: 'nobody', consumedToken: O.none } as const

PermitRegistration('the scope values that would help are named, and none where a ceiling is in the way', () => {
  const ceiling = { ...noPrivileges, grant_types: ['authorization_code', 'refresh_token'] }
  const [refresh, implicit] = ['refresh_token', 'implicit'].map((grant) =>
    requested({ grant_types: ['authorization_code', grant] }),
  )
  if (refresh === undefined || implicit === undefined) throw new Error('two clients')
  const helped = refusalOf({ ...byToken, ceiling }, { metadata: refresh })
  assert.equal(helped, {
    error: 'insufficient_scope',
    error_description: 'grant_types: beyond what the token permits, needed: client-reg:grant:refresh',
  })
  const beyond =
    'grant_types: beyond the ceilings of the registration policy, whatever initial access token is sent: ' +
    'leave it out, or ask the operator to register the client or to raise the ceiling'
  assert.equal(refusalOf({ ...byToken, ceiling }, { metadata: implicit }), {
    error: 'insufficient_scope',
    error_description: beyond,
  })
  assert.equal(
    refusalOf({ ...byToken, ceiling: { ...ceiling, data: true } }, { metadata: { ...implicit, data: {} } }),
    {
      error: 'insufficient_scope',
      error_description: `${beyond}; data: beyond what the token permits, needed: client-reg:data`,
    },
  )
  assert.equal(refusalOf({ ...byNobody, ceiling }, { metadata: implicit }), {
    error: 'missing_token',
    error_description: `${beyond}. A registration by the operator needs a token: send it as Authorization: Bearer TOKEN`,
  })
  const updated = permitUpdate(granted, ceiling, requested({}))
  assert.equal(updated(implicit), E.left({ error: 'insufficient_scope', error_description: beyond }))
  assert.equal(
    updated(refresh),
    E.left({
      error: 'insufficient_scope',
      error_description:
        'grant_types: beyond what the client was registered with, which its own updates do not extend: leave it out, ' +
        'ask the operator, or register anew with an initial access token with client-reg:grant:refresh',
    }),
  )
})

PermitRegistration('open registration names the scope values that it permits', () => {
  const sent = { metadata: requested({ scope: 'openid profile' }) }
  const needed = (values: string, scope: string): string =>
    `scope (${values}): beyond open registration, which needs an initial access token with ${scope}: ` +
    'send it as Authorization: Bearer TOKEN. Without one, leave scope out'
  for (const [scope, text] of [
    [[], needed('openid profile', 'client-reg:scope:openid client-reg:scope:profile')],
    [['email', 'openid'], `${needed('profile', 'client-reg:scope:profile')}, or ask for no more than email openid`],
  ] as const)
    assert.equal(refusalOf({ ...byNobody, granted: { ...granted, scope } }, sent), {
      error: 'missing_token',
      error_description: `${text} (the operator sets open-registration-scopes)`,
    })
})

PermitRegistration('an update keeps its data, in whatever order its members are sent', () => {
  const current = requested({ data: { zone: 'eu', app: { a: 1, b: [1, 2] } } })
  const stored = [{ app: { b: [1, 2], a: 1 }, zone: 'eu' }, current.data]
  const changed = [{ app: { a: 1, b: [2, 1] }, zone: 'eu' }, { zone: 'eu' }, { ...current.data, more: 1 }]
  const permits = (data: unknown): boolean =>
    E.isRight(permitUpdate(noPrivileges, allPrivileges, current)(requested({ data })))
  for (const data of stored) assert.ok(permits(data), JSON.stringify(data))
  for (const data of changed) assert.not.ok(permits(data), JSON.stringify(data))
})

PermitRegistration.run()
