import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type ManagementPrivilege,
  type ManagementPrivileges,
  type Operator,
  type OperatorRefusal,
  type PresentedCredential,
  allManagementPrivileges,
  issuerOf,
  operatorOfTheStore,
  permitsManagement,
} from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import { type Unavailable, unavailable } from '../../src/kernel/refusals.js'
import { inMemoryStore } from '@clientele/adapters-memory'
import {
  done,
  exampleClient,
  exampleHash,
  exampleTime,
  exampleToken,
  issuablePrivileges,
  law,
  managementPrivileges,
  presentedCredential,
  addition,
  noRow,
} from '@clientele/testing'
import { identifyOperator } from '../../src/operations/caller.js'

const Operators = suite('identifyOperator')
const it = law(Operators)

const client = exampleClient('a')
const token = exampleToken('one')
const lifetime = 3600
const operatorHash = exampleHash('operator')

const world = async (passed = 0, privileges: ManagementPrivileges = ['keys']) => {
  const { registry, initialAccessTokens, operatorTokens } = inMemoryStore()
  await done(registry.addClient(addition(client)))
  await done(initialAccessTokens.addInitialAccessToken(token, exampleTime, noRow))
  const expires_at = secondsAfter(exampleTime, lifetime)
  const issued_by = issuerOf(operatorOfTheStore())
  const added = { hash: operatorHash, privileges, issued_at: exampleTime, expires_at, issued_by }
  await done(operatorTokens.addOperatorToken(added, exampleTime, noRow))
  return { ...registry, ...initialAccessTokens, ...operatorTokens, now: () => secondsAfter(exampleTime, passed) }
}

type World = Awaited<ReturnType<typeof world>>

/** The operator whom the credential shows, or the refusal. */
const requireOperator = async <Needed extends ManagementPrivilege>(
  ports: World,
  needed: ReadonlyArray<Needed>,
  credential: PresentedCredential,
): Promise<E.Either<OperatorRefusal | Unavailable, Operator<Needed>>> => {
  const caller = await identifyOperator(ports)(needed)(credential)()
  return E.isLeft(caller) ? caller : caller.right.operator
}

const outcome = async (
  credential: PresentedCredential,
  passed?: number,
  needed: ManagementPrivileges = ['keys'],
): Promise<string> => {
  const required = await requireOperator(await world(passed), needed, credential)
  return E.isRight(required) ? 'operator' : required.left.error
}

it(
  'what no operator presents shows no operator',
  [presentedCredential(), managementPrivileges()],
  async (any, needed) => {
    const holds = any.kind === 'operator_token' && permitsManagement(any.privileges)(needed)
    const isOperator = any.kind === 'master' || any.kind === 'store' || holds
    assert.is((await outcome(any, 0, needed)) === 'operator', isOperator)
  },
)

it(
  'an operator token in force shows an operator with its privileges, whose refusal names those that are missing',
  [issuablePrivileges(), managementPrivileges()],
  async (granted, needed) => {
    const credential = { kind: 'token', hash: operatorHash } as const
    const required = await requireOperator(await world(0, granted), needed, credential)
    const missing = needed.filter((each) => !granted.includes(each))
    if (E.isLeft(required)) {
      assert.ok(required.left.error === 'insufficient_scope')
      assert.is(required.left.scope, missing.join(' '))
      return
    }
    assert.equal(missing, [])
    assert.equal(issuerOf(required.right), {
      kind: 'operator_token',
      fingerprint: operatorHash.slice(0, 12),
      id: operatorHash,
    })
    assert.equal(required.right.privileges, granted)
  },
)

Operators('a token that counts elsewhere permits too little; one that counts nowhere is invalid', async () => {
  const registration: PresentedCredential = { kind: 'token', hash: client.registration_access_token.hash }
  const initial: PresentedCredential = { kind: 'token', hash: token.hash }
  assert.is(await outcome(registration), 'insufficient_scope')
  assert.is(await outcome(initial), 'insufficient_scope')
  assert.is(await outcome(initial, token.expires_at - exampleTime), 'invalid_token')
  assert.is(await outcome({ kind: 'unusable' }), 'invalid_token')
  assert.is(await outcome({ kind: 'none' }), 'missing_token')
})

Operators('an operator token that has expired is invalid', async () => {
  const credential: PresentedCredential = { kind: 'token', hash: operatorHash }
  assert.is(await outcome(credential, lifetime - 1), 'operator')
  assert.is(await outcome(credential, lifetime), 'invalid_token')
})

Operators('the master token has all privileges, and is named by the beginning of its digest', async () => {
  const required = await requireOperator(await world(), ['operators'], { kind: 'master', hash: operatorHash })
  if (E.isLeft(required)) return assert.unreachable()
  assert.equal(issuerOf(required.right), { kind: 'master', fingerprint: operatorHash.slice(0, 12) })
  assert.equal(required.right.privileges, allManagementPrivileges)
})

Operators('a store that cannot answer makes nobody the operator', async () => {
  const away = () => TE.left(unavailable('disk'))
  for (const port of ['findInitialAccessToken', 'findOperatorToken'] as const) {
    const ports = { ...(await world()), [port]: away }
    const required = await requireOperator(ports, ['keys'], { kind: 'token', hash: token.hash })
    assert.ok(E.isLeft(required) && required.left.error === 'unavailable')
  }
})

type IsOperator<Value> = Value extends Operator ? true : false
type May<Value> = Value extends Operator<'keys'> ? true : false

Operators('a credential, or an object of the same shape, is no operator to the compiler', () => {
  const ofCredential: IsOperator<PresentedCredential> = false
  const ofObject: IsOperator<{ readonly kind: 'master' }> = false
  const ofMaker: IsOperator<ReturnType<typeof operatorOfTheStore>> = true
  assert.equal([ofCredential, ofObject, ofMaker], [false, false, true])
})

Operators('an operator without a privilege is none with it to the compiler', () => {
  const ofOther: May<Operator<'sessions'>> = false
  const ofMore: May<Operator<'sessions' | 'keys'>> = true
  assert.equal([ofOther, ofMore], [false, true])
})

Operators.run()
