// Which registrations wait for the approval of an operator, and what an approval and a refusal make of them.
import {
  epochSecond,
  law,
  registeredBy,
  registeredClient,
  registrationFacts,
  registrationSettings,
  unapproved,
  validClientMetadata,
  exampleHash,
} from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { EpochSeconds } from '../../src/kernel/time.js'
import { withdrawalOf, waitsSince, RefusalReason } from '../../src/life-cycle/states.js'
import { decodeRegistrationPolicy } from '../../src/policy/decode.js'
import { approvable, needsApproval } from '../../src/policy/policy.js'
import { decideRegistration } from '../../src/registration/decide.js'
import { clientDescription, clientInformation } from '../../src/registration/information.js'
import { storedMetadata } from '../../src/registration/permit.js'
import { approvedClient, pendingClient, refusedClient } from '../../src/registration/registered-client.js'
import { repeats } from '../../src/registration/repetition.js'

const Approval = suite('registrations that wait for an approval')
const it = law(Approval)

const refusing = (at: EpochSeconds): ReturnType<typeof refusedClient> => {
  const reason = 'Its policy_uri is missing'
  if (!RefusalReason.is(reason)) throw new Error(reason)
  return refusedClient(at, reason)
}

const approve = fc.subarray([...approvable])

it('an operator’s own registration never waits, and each kind of the others by its own part', [approve], (parts) => {
  assert.not.ok(needsApproval({ approve: parts }, 'master'))
  assert.not.ok(needsApproval({ approve: parts }, 'operator_token'))
  assert.is(needsApproval({ approve: parts }, 'nobody'), parts.includes('anonymous'))
  assert.is(needsApproval({ approve: parts }, 'token'), parts.includes('tokens'))
})

it('without the part, nothing waits', [registeredBy()], (by) => assert.not.ok(needsApproval({}, by)))

it(
  'the policy changes of a registration whether it waits, and nothing else',
  [registrationSettings(), approve, registrationFacts(fc.oneof(validClientMetadata(), fc.anything()))],
  (settings, parts, facts) => {
    const without = decideRegistration(settings)(facts)
    const decided = decideRegistration({ ...settings, policy: { ...settings.policy, approve: parts } })(facts)
    if (E.isLeft(without)) return assert.equal(decided, without)
    const { client, consumedToken } = without.right
    const waits = needsApproval({ approve: parts }, client.registered_by)
    const expected = waits ? { ...client, approval: { state: 'pending' } } : client
    assert.equal(decided, E.right({ client: expected, consumedToken }))
  },
)

it(
  'nobody who registers the same gets a client that was approved where his own waits, and one that was refused stays so',
  [registeredClient(), epochSecond()],
  (client, at) => {
    const metadata = storedMetadata({ ...client.metadata, token_endpoint_auth_method: 'none' })
    const fingerprint = exampleHash('print')
    const open = { ...client, secret: undefined, registered_by: 'nobody' as const, metadata, fingerprint }
    const next = pendingClient(open)
    assert.is(repeats(next, next), repeats(open, open))
    assert.not.ok(repeats(approvedClient(at)(next), next))
    assert.is(repeats(refusing(at)(next), next), repeats(open, open))
  },
)

it(
  'a client that the store finds by a fingerprint which was not sealed with it is not registered again',
  [registeredClient()],
  (client) => {
    const metadata = storedMetadata({ ...client.metadata, token_endpoint_auth_method: 'none' })
    const open = { ...client, secret: undefined, registered_by: 'nobody' as const, metadata }
    const mine = { ...open, fingerprint: exampleHash('mine') }
    for (const found of [open, { ...open, fingerprint: exampleHash('theirs') }]) assert.not.ok(repeats(found, mine))
    assert.not.ok(repeats(open, open))
    assert.ok(repeats(mine, mine))
  },
)

it(
  'an approval leaves the client as it was, in its next version, and it waits for its first use from then on',
  [registeredClient(), unapproved(), epochSecond()],
  (client, approval, at) => {
    const approved = approvedClient(at)({ ...client, approval })
    assert.equal(approved, { ...client, waits_since: at, version: client.version + 1 })
    assert.is(withdrawalOf(approved), undefined)
  },
)

it(
  'a refusal keeps the registration, with its reason; an approval may follow',
  [registeredClient(), epochSecond(), epochSecond()],
  (client, at, later) => {
    const reason = 'Its policy_uri is missing'
    if (!RefusalReason.is(reason)) throw new Error(reason)
    const refused = refusedClient(at, reason)({ ...client, approval: { state: 'pending' } })
    const approval = { state: 'refused', reason } as const
    assert.equal(refused, { ...client, approval, waits_since: at, version: client.version + 1 })
    assert.is(withdrawalOf(refused), 'refused')
    assert.is(waitsSince(refused), at)
    assert.is(withdrawalOf(approvedClient(later)(refused)), undefined)
  },
)

it(
  'the client information says why a client gets nothing, and that of one in force has no such member',
  [registeredClient(), unapproved()],
  (client, approval) => {
    const endpoint = 'https://op.example/clients'
    for (const informationOf of [clientInformation(endpoint), clientDescription(endpoint)]) {
      const { approval: notice, ...others } = informationOf({ ...client, approval })
      assert.equal(others, informationOf(client))
      assert.equal({ ...notice, description: undefined }, { ...approval, description: undefined })
      assert.match(notice?.description ?? '', /do not register it again$/)
    }
  },
)

it('any part of a policy is read, or refused where it stands', [fc.anything()], (part) => {
  const decoded = decodeRegistrationPolicy({ approve: part })
  const isValid =
    part === undefined || (Array.isArray(part) && part.every((each) => approvable.some((known) => known === each)))
  assert.is(E.isRight(decoded), isValid)
  if (E.isLeft(decoded)) for (const { pointer } of decoded.left) assert.match(pointer, /^\/approve(\/\d+)?$/)
})

Approval.run()
