import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { permitRegistration, permitUpdate } from '../../src/registration/permit.js'
import { type Privileges, allPrivileges, grantPrivilege, noPrivileges } from '../../src/authorization/registrant.js'
import type { ClientMetadata } from '../../src/client/metadata.js'
import { validate } from '@clientele/testing'

const PermitRegistration = suite('permitRegistration')

const saying = (granted: Privileges, asking: Partial<Parameters<ReturnType<typeof permitRegistration>>[0]>): string => {
  const metadata = validate({ redirect_uris: ['https://rp.example/'] }).metadata
  const whole = { metadata, preferred_client_id: undefined, preferred_client_secret: undefined, ...asking }
  const refused = permitRegistration({ granted, by: 'token', consumedToken: O.none })(whole)
  return E.isLeft(refused) && refused.left.error === 'insufficient_scope' ? refused.left.error_description : 'permitted'
}

const code = grantPrivilege('authorization_code')
const requested = (members: object): ClientMetadata =>
  validate({ redirect_uris: ['https://rp.example/'], ...members }).metadata

PermitRegistration('the refusal names what is missing, and the scope values that would give it, and no other', () => {
  assert.is(saying(code, {}), 'permitted')
  assert.is(saying(noPrivileges, {}), 'grant_types: beyond what the token permits, needed: client-reg:grant:code')
  assert.is(
    saying(code, { metadata: requested({ scope: 'openid' }) }),
    'scope: beyond what the token permits, needed: client-reg:scope',
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
