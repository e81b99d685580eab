import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { issued, law, registrationScope, validClientMetadata, withOneFault } from '@clientele/testing'
import { allPrivileges, isNothing, parseRegistrationScope, permits } from '../../src/authorization/registrant.js'
import { type ClientMetadata as CoreMetadata } from '../../src/client/metadata.js'
import { matchRedirectUri as matchRegistered } from '../../src/client/uris.js'
import type { Fault as CoreFault } from '../../src/kernel/faults.js'
import { secondsAfter } from '../../src/kernel/time.js'
import { decideUpdate as decideCoreUpdate } from '../../src/operations/configure.js'
import { explainRegistration } from '../../src/operations/explain.js'
import {
  type ClientMetadata,
  type Fault,
  checkClientMetadata,
  clientMetadata,
  comparePrivileges,
  decideRegistration,
  decideUpdate,
  matchRedirectUri,
  readPrivileges,
} from '../../src/plain/index.js'
import { notEnforced } from '../../src/plain/translate.js'
import { decodeRegistrationPolicy } from '../../src/policy/decode.js'
import { noPolicy } from '../../src/policy/policy.js'
import {
  type RegistrationFacts,
  type RegistrationSettings,
  decideRegistration as decideCore,
  decodeRegistrationRequest,
  ruleBook,
} from '../../src/registration/decide.js'
import type { GeneratedCredentials, RegisteredClient } from '../../src/registration/registered-client.js'
import { policyFiles } from '../policy/policies.js'

const Same = suite('the plain functions answer what the core decides')
const it = law(Same)

const valid = validClientMetadata()
const sloppy = valid.map((body) => ({ ...body, client_uri: null, contacts: ['a@rp.example', 'a@rp.example'], more: 1 }))
const preset = valid.map((body) => ({ ...body, preferred_client_id: 'my-own-client' }))
const delegating = valid.map((body) => ({ ...body, scope: 'client-reg openid' }))
const bodies = fc.oneof(
  valid,
  delegating,
  sloppy,
  preset,
  withOneFault(valid).map(({ body }) => body),
  fc.object(),
  fc.anything(),
)
const enforcedIn = (file: object) =>
  Object.fromEntries(Object.entries(file).filter(([name]) => !notEnforced.some((each) => each === name)))
const policies = fc
  .tuple(policyFiles(), fc.subarray(['anonymous', 'tokens']), fc.subarray(['ceilings']))
  .map(([file, approve, kept]) => (kept.length === 0 ? { approve } : { ...enforcedIn(file), approve }))
const granted = fc.oneof(fc.constantFrom('client-reg', undefined), registrationScope())
const settings = fc
  .record(
    {
      policy: policies,
      outboundFetches: fc.boolean(),
      isOnLoopback: fc.boolean(),
      lenient: fc.boolean(),
      allowOpenRegistration: fc.boolean(),
      openRegistrationScopes: fc.constantFrom('openid', 'openid email'),
      clientSecretLifetime: fc.nat(),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .filter(
    ({ allowOpenRegistration, openRegistrationScopes }) =>
      allowOpenRegistration === true || openRegistrationScopes === undefined,
  )
type Given = typeof settings extends fc.Arbitrary<infer Value> ? Value : never

const right = <A>(either: E.Either<unknown, A>): A => {
  if (E.isLeft(either)) throw new Error(JSON.stringify(either.left))
  return either.right
}

const modeOf = ({ allowOpenRegistration, openRegistrationScopes: scope }: Given): RegistrationSettings['mode'] =>
  allowOpenRegistration === true ? { kind: 'open', scope: scope?.split(' ') ?? [] } : { kind: 'managed' }

const coreSettings = (given: Given): RegistrationSettings => ({
  mode: modeOf(given),
  policy: given.policy === undefined ? noPolicy : right(decodeRegistrationPolicy(given.policy)),
  issuer: 'https://op.example',
  registrationEndpoint: 'https://op.example/clients',
  outboundFetches: given.outboundFetches ?? false,
  isOnLoopback: given.isOnLoopback ?? false,
  lenient: given.lenient ?? false,
  initialAccessTokenLifetime: 3600,
  credentials: {
    clientSecretLifetime: given.clientSecretLifetime ?? 0,
    rotateClientSecretOnUpdate: false,
    rotateRegistrationAccessTokenOnUpdate: false,
  },
})

type Requester = Pick<RegistrationFacts, 'credential' | 'token'>

const requester = (scope: string | undefined, { at, registration_access_token }: GeneratedCredentials): Requester => {
  if (scope === undefined) return { credential: { kind: 'none' }, token: O.none }
  const { hash } = registration_access_token
  const token = { hash, ...right(parseRegistrationScope(scope)), expires_at: secondsAfter(at, 1) }
  return { credential: { kind: 'token', hash }, token: O.some(token) }
}

const coreFacts = (body: unknown, scope: string | undefined, made: GeneratedCredentials): RegistrationFacts => ({
  ...requester(scope, made),
  statement: O.none,
  issued: { ...made, client_secret_padding: '' },
  body: E.right(body),
})

const registeredOf = ({ registered_by, privileges }: RegisteredClient): unknown => ({ by: registered_by, privileges })

/** What the façade shows of a client of the core. */
const shown = ({ client_id, client_id_issued_at, secret, approval, metadata }: RegisteredClient): unknown => ({
  client_id,
  client_id_issued_at,
  ...secret,
  ...(approval === undefined ? {} : { approval }),
  ...metadata,
})

type Refusal = {
  readonly error: string
  readonly error_description?: string
  readonly errors?: ReadonlyArray<CoreFault>
}

/** What the core says at the end of some texts, and the plain functions do not: which setting would permit it. */
const namesSetting =
  /^(?:, or ask the operator [a-z ]+| \(the operator sets) (?:outbound-fetches|software-statement-issuers|signing-algorithms|client-secret-length|open-registration-scopes)\)?$/

const isRefusalOf = (faults: ReadonlyArray<Fault>, refusal: Refusal): void => {
  const { error, error_description = error, errors = [] } = refusal
  const descriptions = errors.length === 0 ? [error_description] : errors.map(({ description }) => description)
  assert.is(faults.length, descriptions.length)
  faults.forEach(({ code, text }, place) => {
    const description = descriptions[place] ?? ''
    assert.is(code, error)
    assert.ok(text.length > 0 && description.startsWith(text), description)
    if (text !== description) assert.match(description.slice(text.length), namesSetting)
  })
  assert.equal(
    faults.filter(({ rule }) => rule !== undefined).map(({ rule, pointer = '' }) => ({ rule, pointer })),
    errors.map(({ rule, pointer }) => ({ rule, pointer })),
  )
}

it('metadata alone', [bodies, settings], (body, given) => {
  const checked = checkClientMetadata(body, { ...given, lenient: false })
  const decoded = decodeRegistrationRequest(ruleBook(coreSettings(given)))({
    body,
    statement: O.none,
    secretLength: 43,
    registeredBy: 'nobody',
  })
  assert.is(checked.ok, E.isRight(decoded))
  if (checked.ok && E.isRight(decoded)) assert.equal(checked.metadata, decoded.right.metadata)
  if (!checked.ok && E.isLeft(decoded)) isRefusalOf(checked.faults, decoded.left)
})

it('a registration', [bodies, granted, issued(), settings], (body, scope, made, given) => {
  const { at, client_id, client_secret } = made
  const decided = decideRegistration({ body, granted: scope, issued: { at, client_id, client_secret } }, given)
  const facts = coreFacts(body, scope, made)
  const core = decideCore(coreSettings(given))(facts)
  const { added, dropped, needed, unobtainable } = explainRegistration(coreSettings(given))(facts)
  assert.is(decided.ok, E.isRight(core))
  if (decided.ok && E.isRight(core)) {
    const { client } = core.right
    const { added: replaced, dropped: leftOut, ...others } = decided
    assert.equal(others, { ok: true, client: shown(client), registered: registeredOf(client) })
    // A lenient registration tells what it took for left out as well.
    assert.equal({ ...replaced, ...added }, replaced)
    assert.equal(leftOut.slice(0, dropped.length), dropped)
    if (given.lenient !== true) assert.equal([replaced, leftOut], [added, dropped])
  }
  if (!decided.ok && E.isLeft(core)) {
    isRefusalOf(decided.faults, core.left)
    const told = decided.faults.flatMap((fault) => fault.needed ?? [])
    if (told.length > 0) {
      assert.equal([told, isNothing(unobtainable)], [needed, true])
      const more = decideRegistration({ body, granted: [scope ?? [], told].flat().join(' '), issued: made }, given)
      assert.ok(more.ok || more.faults[0].code !== 'insufficient_scope')
    }
  }
})

it(
  'an update of a client that was decided and stored as JSON, under the same policy or a later one',
  [valid, bodies, granted, issued(), issued(), settings, fc.option(settings, { nil: undefined })],
  (first, body, scope, made, later, given, changed = given) => {
    const registered = decideRegistration({ body: first, granted: scope, issued: made }, given)
    const core = decideCore(coreSettings(given))(coreFacts(first, scope, made))
    if (!registered.ok || E.isLeft(core)) return
    const stored = JSON.parse(JSON.stringify(registered)) as typeof registered
    const { at, client_secret } = later
    const { client } = stored
    const updated = decideUpdate(
      { client, registered: stored.registered, body, issued: { at, client_secret } },
      changed,
    )
    const { hash } = made.registration_access_token
    const decided = decideCoreUpdate(coreSettings(changed))({
      credential: { kind: 'token', hash },
      found: O.some(core.right.client),
      statement: O.none,
      issued: { ...later, client_secret_padding: '', registration_access_token: made.registration_access_token },
      body: E.right(body),
    })
    assert.is(updated.ok, E.isRight(decided))
    if (updated.ok && E.isRight(decided)) {
      assert.equal(updated.client, shown(decided.right.next))
      assert.equal(updated.registered, registeredOf(decided.right.next))
    }
    if (!updated.ok && E.isLeft(decided)) isRefusalOf(updated.faults, decided.left as Refusal)
  },
)

it('the Standard Schema takes what the check takes, and names the same places', [bodies], async (body) => {
  const checked = checkClientMetadata(body)
  const result = clientMetadata['~standard'].validate(body)
  if (checked.ok) return assert.equal(result, { value: checked.metadata })
  assert.equal(
    result.issues?.map(({ message }) => message),
    checked.faults.map(({ text }) => text),
  )
  result.issues?.forEach(({ path }, place) => assert.is(path[0], checked.faults[place]?.member))
})

it('privileges are read and compared', [registrationScope(), registrationScope()], (one, other) => {
  const compared = comparePrivileges(one, other)
  const held = right(parseRegistrationScope(one)).privileges
  const wanted = right(parseRegistrationScope(other)).privileges
  assert.equal(readPrivileges(one), { ok: true, privileges: held })
  assert.ok(compared.ok)
  assert.is(compared.permitted, permits(held)(wanted))
  const more = comparePrivileges([one, ...compared.needed].join(' '), other)
  assert.ok(more.ok && more.permitted)
})

it('redirection URIs match', [valid, valid, fc.nat()], (one, other, place) => {
  const checked = checkClientMetadata(one)
  if (!checked.ok) return
  const uris = [one, other].flatMap(({ redirect_uris }) => (Array.isArray(redirect_uris) ? redirect_uris : []))
  const requested: unknown = uris[place % Math.max(uris.length, 1)]
  assert.is(matchRedirectUri(checked.metadata, requested), O.toUndefined(matchRegistered(checked.metadata, requested)))
})

it('nothing throws, whatever is given', [fc.anything(), fc.anything(), bodies, issued()], (one, other, body, made) => {
  const anyCall = one as never
  const anyOther = other as never
  checkClientMetadata(one, anyOther)
  clientMetadata['~standard'].validate(one)
  decideRegistration(anyCall, anyOther)
  decideRegistration({ body, granted: anyOther, issued: anyCall })
  decideRegistration({ body, issued: made }, { policy: one, lenient: anyOther, clientSecretLifetime: anyCall })
  decideUpdate(anyCall, anyOther)
  const registered = { by: 'token', privileges: allPrivileges } as const
  decideUpdate({ client: anyCall, body, registered: anyOther, issued: made })
  decideUpdate({ client: anyCall, body, registered, issued: made })
  decideUpdate({
    registered,
    client: { ...made, redirect_uris: anyCall, grant_types: anyOther, scope: anyCall },
    body,
    issued: made,
  } as never)
  comparePrivileges(one, other)
  matchRedirectUri(anyCall, other)
  matchRedirectUri({ redirect_uris: anyCall, application_type: anyOther }, body)
})

// The compiler proves it: each type is the other.
const plainOf = (metadata: CoreMetadata): ClientMetadata => metadata
const coreOf = (metadata: ClientMetadata): CoreMetadata => metadata

Same('the plain type of client metadata is that of the core', () => {
  const checked = checkClientMetadata({ redirect_uris: ['https://rp.example/cb'] })
  assert.ok(checked.ok)
  assert.equal(pipe(checked.metadata, coreOf, plainOf), checked.metadata)
})

Same.run()
