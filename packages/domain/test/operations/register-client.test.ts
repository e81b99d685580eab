import { unaudited } from '@clientele/domain/operations'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unlimited } from '../../src/ports/outside.js'
import { allPrivileges, noPrivileges, openPrivileges, permits, union } from '../../src/authorization/registrant.js'
import { requestedPrivileges } from '../../src/registration/permit.js'
import { clientInformation } from '../../src/registration/information.js'
import { clientIdTaken, invalidInitialAccessToken, invalidRequest, unusableToken } from '../../src/kernel/refusals.js'
import * as registry from '../../src/ports/store.js'
import { decideRegistration } from '../../src/registration/decide.js'
import {
  initialAccessToken,
  issued,
  law,
  oneSample,
  presenting,
  registrationFacts,
  registrationSettings,
  shouldNotBeCalled,
  validClientMetadata,
  validate,
  withOneFault,
  type SentMetadata,
  exampleOrigin,
  only,
  addition,
  previewRegistrationByCredential,
  registerByCredential,
} from '@clientele/testing'
import { noOperatorTokens } from '../support/no-operator-tokens.js'
import { requestedOnce } from '../support/requested-once.js'

const DecideRegistration = suite('decideRegistration')
const it = law(DecideRegistration)
const settings = registrationSettings()
const generated = issued()
const token = initialAccessToken()
const valid = validClientMetadata()
const invalid = withOneFault(valid).map(({ body }) => body)
const plain = valid.map((body): SentMetadata =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !['data', 'scope'].includes(name))),
)
const anonymous = { credential: { kind: 'none' as const }, token: O.none, statement: O.none }
const master = { credential: { kind: 'master' as const }, token: O.none, statement: O.none }
const errorOf = (decided: E.Either<{ readonly error: string }, unknown>): string | undefined =>
  E.isLeft(decided) ? decided.left.error : undefined
const requestedOf = (body: SentMetadata) => requestedPrivileges(validate(body).metadata)

it(
  'any facts whatever are decided, and the same facts alike',
  [settings, registrationFacts(fc.oneof(fc.anything(), valid, invalid))],
  (set, facts) => {
    const decided = decideRegistration(set)(facts)
    assert.equal(decideRegistration(set)(facts), decided)
    assert.match(
      errorOf(decided) ?? 'invalid_token',
      /^(missing_token|invalid_token|invalid_(request|redirect_uri|client_metadata|software_statement)|insufficient_scope)$/,
    )
  },
)

it(
  'who asks comes first: without authorization nothing is told of the body (401 before 400)',
  [settings, registrationFacts(fc.oneof(invalid, fc.anything()))],
  (set, facts) => {
    const empty = decideRegistration(set)({ ...facts, body: E.right({ grant_types: [] }) })
    const decided = decideRegistration(set)(facts)
    if (errorOf(empty) === 'invalid_token' || (errorOf(empty) === 'missing_token' && set.mode.kind === 'managed'))
      assert.equal(decided, empty)
  },
)

it(
  'a fault is told before a lack of privilege (400 before 403)',
  [settings, token, generated, invalid],
  (set, any, now, body) =>
    assert.match(
      errorOf(decideRegistration(set)(presenting(any, now, body))) ?? '',
      /^invalid_(redirect_uri|client_metadata|software_statement)$/,
    ),
)

it(
  'managed registration by nobody is always missing a token (RFC 7591 §3)',
  [settings, registrationFacts(fc.oneof(valid, fc.anything()))],
  (set, facts) =>
    assert.is(
      errorOf(decideRegistration({ ...set, mode: { kind: 'managed' } })({ ...facts, ...anonymous })),
      'missing_token',
    ),
)

it(
  'a token that does not count is never nobody, in open registration neither',
  [settings, registrationFacts(valid)],
  (set, facts) => {
    const unknown = { ...facts, credential: { kind: 'unusable' as const } }
    assert.equal(decideRegistration({ ...set, mode: { kind: 'open', scope: [] } })(unknown), E.left(unusableToken))
  },
)

it('a spent and an expired token make no client', [settings, token, generated, valid], (set, any, now, body) => {
  const facts = presenting(any, now, body)
  for (const worn of [O.none, O.some({ ...any, expires_at: now.at })])
    assert.equal(decideRegistration(set)({ ...facts, token: worn }), E.left(invalidInitialAccessToken))
})

it(
  'open registration by nobody permits exactly the three grants and the open scope values',
  [settings, generated, fc.subarray(['open', 'openid', 'email']), valid],
  (set, now, scope, body) => {
    const decided = decideRegistration({ ...set, mode: { kind: 'open', scope } })({
      ...anonymous,
      issued: now,
      body: E.right(body),
    })
    const open = ['authorization_code', 'implicit', 'refresh_token']
    const { metadata } = validate(body)
    const values = metadata.scope?.split(' ') ?? []
    const inside =
      metadata.grant_types.every((grant) => open.includes(grant)) &&
      values.every((value) => scope.includes(value)) &&
      metadata.data === undefined
    assert.equal(errorOf(decided), inside ? undefined : 'missing_token')
  },
)

it(
  'a token adds to open registration, and never takes away',
  [settings, token, generated, valid],
  (set, any, now, body) => {
    const open = { ...set, mode: { kind: 'open' as const, scope: ['openid'] } }
    if (E.isRight(decideRegistration(open)({ ...anonymous, issued: now, body: E.right(body) })))
      assert.ok(E.isRight(decideRegistration(open)(presenting(any, now, body))))
  },
)

it(
  'what is registered is within what the token holds, and all of that may be',
  [settings, token, generated, valid],
  (set, any, now, body) => {
    const granted = union(openPrivileges(set.mode), any.privileges)
    const decided = decideRegistration(set)(presenting(any, now, body))
    assert.is(errorOf(decided), permits(granted)(requestedOf(body)) ? undefined : 'insufficient_scope')
  },
)

it(
  'what the registration was allowed is recorded with the client, and the token is spent by it',
  [settings, token, generated, valid],
  (set, any, now, body) => {
    const decided = decideRegistration(set)(presenting(any, now, body))
    if (E.isLeft(decided)) return
    assert.equal(decided.right.client.privileges, union(openPrivileges(set.mode), any.privileges))
    assert.equal(decided.right.consumedToken, O.some(any.hash))
  },
)

it('the master token registers anything valid, and spends nothing', [settings, generated, valid], (set, now, body) => {
  const decided = decideRegistration(set)({ ...master, issued: now, body: E.right(body) })
  assert.ok(E.isRight(decided))
  assert.equal(E.isRight(decided) && [decided.right.client.privileges, decided.right.consumedToken], [
    allPrivileges,
    O.none,
  ])
})

it(
  'the effective metadata is what is registered and what is checked',
  [settings, generated, token],
  (set, now, any) => {
    const body = { redirect_uris: ['https://rp.example/'] }
    const permitted = permits(union(openPrivileges(set.mode), any.privileges))({
      ...noPrivileges,
      grant_types: ['authorization_code'],
    })
    const decided = decideRegistration(set)(presenting(any, now, body))
    assert.is(E.isRight(decided), permitted)
    if (E.isRight(decided)) assert.equal({ ...decided.right.client.metadata }, { ...validate(body).metadata })
  },
)

it(
  'an identifier or a secret is preset only with its own privilege',
  [settings, generated, token, plain, fc.constantFrom('preferred_client_id', 'preferred_client_secret')],
  (set, now, any, body, member) => {
    const bySecret = { ...body, token_endpoint_auth_method: 'client_secret_basic' }
    const without = decideRegistration(set)(presenting(any, now, bySecret))
    const decided = decideRegistration(set)(presenting(any, now, { ...bySecret, [member]: 'x'.repeat(40) }))
    const allowed = any.privileges[member === 'preferred_client_id' ? 'preferred_client_id' : 'preferred_client_secret']
    assert.is(E.isRight(decided), E.isRight(without) && allowed)
    if (E.isLeft(decided) || E.isLeft(without)) return
    const { client } = decided.right
    const preset = member === 'preferred_client_id' ? client.client_id : client.secret?.client_secret
    assert.is(preset, 'x'.repeat(40))
  },
)

DecideRegistration('credentials of the client’s own choosing are dropped', () => {
  const { set, now } = example()
  const body = {
    grant_types: [],
    client_id: 'mine',
    client_secret: 'mine',
    registration_access_token: 'mine',
    registration_client_uri: 'mine',
    client_id_issued_at: 0,
  }
  const decided = decideRegistration(set)({ ...master, issued: now, body: E.right(body) })
  assert.equal(decided, decideRegistration(set)({ ...master, issued: now, body: E.right({ grant_types: [] }) }))
  assert.not(JSON.stringify(decided).includes('mine'))
})

it(
  'a body that could not be read is refused as such, to whoever may ask',
  [settings, generated, token],
  (set, now, any) => {
    const body = E.left(invalidRequest('The body is not valid JSON'))
    assert.equal(decideRegistration(set)({ ...presenting(any, now, {}), body }), body)
    assert.equal(decideRegistration(set)({ ...master, issued: now, body }), body)
  },
)

const outsidePorts = {
  ...noOperatorTokens,
  ...requestedOnce,
  readSoftwareStatement: shouldNotBeCalled,
  fetchSectorIdentifier: shouldNotBeCalled,
}
const example = () => ({
  set: { ...oneSample(settings), mode: { kind: 'managed' as const } },
  now: oneSample(generated),
  any: oneSample(token),
})

DecideRegistration('a refused registration stores nothing and spends nothing', async () => {
  const { set, now, any } = example()
  const ports = {
    ...outsidePorts,
    addClient: shouldNotBeCalled,
    findInitialAccessToken: () => TE.right(O.some(any)),
    issue: () => now,
  }
  const refused = { credential: { kind: 'token' as const, hash: any.hash }, body: E.right({ redirect_uris: 7 }) }
  assert.ok(
    E.isLeft(
      await registerByCredential(
        set,
        only({ ...unaudited, ...unlimited, ...ports }),
      )({ ...refused, origin: exampleOrigin })(),
    ),
  )
})

DecideRegistration(
  'a registration stores the client and spends the token in one step, and answers what it stored',
  async () => {
    const { set, now } = example()
    const stored: Array<unknown> = []
    const ports = {
      ...outsidePorts,
      addClient: (added: registry.Addition) => TE.fromIO(() => void stored.push(added)),
      findInitialAccessToken: shouldNotBeCalled,
      issue: () => now,
    }
    const facts = { ...master, body: E.right({ grant_types: [] }), issued: now }
    const decided = decideRegistration(set)(facts)
    if (E.isLeft(decided)) return assert.unreachable()
    const answer = await registerByCredential(
      set,
      only({ ...unaudited, ...unlimited, ...ports }),
    )({ ...facts, origin: exampleOrigin })()
    const { client, consumedToken } = decided.right
    assert.equal(stored, [addition(client, { consumedToken, limits: registry.noLimits })])
    const body = clientInformation(set.registrationEndpoint)(client)
    assert.equal(E.isRight(answer) && answer.right.body, body)
  },
)

DecideRegistration('an identifier that is taken and a token that was spent meanwhile are refused as such', async () => {
  const { set, now } = example()
  const outcome = async (left: registry.RefusedAddition) => {
    const ports = {
      ...outsidePorts,
      addClient: () => TE.left(left),
      findInitialAccessToken: shouldNotBeCalled,
      issue: () => now,
    }
    return errorOf(
      await registerByCredential(
        set,
        only({ ...unaudited, ...unlimited, ...ports }),
      )({
        origin: exampleOrigin,
        ...master,
        body: E.right({ grant_types: [] }),
      })(),
    )
  }
  assert.is(await outcome(clientIdTaken), 'invalid_client_metadata')
  assert.is(await outcome(registry.initialAccessTokenConsumed), 'invalid_token')
})

DecideRegistration('a dry run decides the same, and tells nothing that only a registration issues', async () => {
  const { set, now } = example()
  const ports = {
    ...{ ...outsidePorts, findClient: () => TE.right(O.none) },
    findInitialAccessToken: shouldNotBeCalled,
    issue: () => now,
  }
  const preview = await previewRegistrationByCredential(
    set,
    only(ports),
  )({ origin: exampleOrigin, ...master, body: E.right({ grant_types: [] }) })()
  const { grant_types, ...added } = validate({ grant_types: [] }).metadata
  assert.equal(E.isRight(preview) && { ...preview.right }, {
    ...added,
    ...{ grant_types, added, adjustments: [], dropped: [], warnings: [] },
  })
})

DecideRegistration.run()
