import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import { epochSeconds } from '../../src/kernel/time.js'
import { Instance, permitInstance, settingDifferences } from '../../src/instances/index.js'

const Permit = suite('permitInstance')
const it = law(Permit)

// Few names, so that they meet.
const key = fc.constantFrom('first key', 'second key', 'third key')
const settings = fc.dictionary(fc.constantFrom('base-url', 'host', '__proto__', 'toString'), fc.constantFrom('1', '2'))

const instanceOf = (id: string, keys: ReadonlyArray<string>, digests: Instance['settings'] = {}): Instance => ({
  id,
  version: '1.0.0',
  started_at: epochSeconds(0),
  seals_with: keys[0] ?? '',
  opens_with: keys,
  settings: digests,
})

const instance = fc
  .tuple(fc.uuid(), fc.uniqueArray(key, { minLength: 1 }), settings)
  .map(([id, keys, digests]) => instanceOf(id, keys, digests))
const running = fc.array(instance, { maxLength: 5 })

const isPermitted = (own: Instance, others: ReadonlyArray<Instance>): boolean => E.isRight(permitInstance(own, others))

it('is total for what can be read as instances', [fc.anything(), fc.array(fc.anything())], (own, others) => {
  const readable = others.filter(Instance.is)
  if (Instance.is(own)) permitInstance(own, readable)
})

it('two permit each other, or neither does', [instance, instance], (one, other) => {
  assert.is(isPermitted(one, [other]), isPermitted(other, [one]))
})

it('several permit an instance if each of them does', [instance, running], (own, others) => {
  assert.is(
    isPermitted(own, others),
    others.every((each) => isPermitted(own, [each])),
  )
})

it('permitted instances open what each of them seals', [instance, instance], (one, other) => {
  if (!isPermitted(one, [other])) return
  assert.ok(one.opens_with.includes(other.seals_with))
  assert.ok(other.opens_with.includes(one.seals_with))
})

it('a refusal names each instance that does not open, or is not opened', [instance, running], (own, others) => {
  const answer = permitInstance(own, others)
  if (E.isRight(answer)) return
  const { error, ids } = answer.left
  const refusing = others.filter(({ seals_with, opens_with }) =>
    error === 'others_cannot_open' ? !opens_with.includes(own.seals_with) : !own.opens_with.includes(seals_with),
  )
  assert.ok(ids.length > 0)
  assert.equal(
    ids,
    refusing.map(({ id }) => id),
  )
})

it('an instance never refuses itself, with whatever keys it announced before', [instance, instance], (own, before) => {
  assert.equal(permitInstance(own, [{ ...before, id: own.id }]), E.right([]))
})

it('the change of a key in its three steps is permitted, beside every instance of the step before', [running], () => {
  const steps = [['old'], ['old', 'new'], ['new', 'old'], ['new']]
  steps.slice(1).forEach((keys, step) => {
    assert.ok(isPermitted(instanceOf('restarted', keys), [instanceOf('before', steps[step] ?? [])]))
  })
  assert.not.ok(isPermitted(instanceOf('restarted', ['new', 'old']), [instanceOf('before', ['old'])]))
  assert.not.ok(isPermitted(instanceOf('restarted', ['new']), [instanceOf('before', ['old', 'new'])]))
})

it('the settings that differ are those that both have, with different digests', [instance, running], (own, others) => {
  const differences = settingDifferences(own, others)
  for (const setting of ['base-url', 'host', '__proto__', 'toString']) {
    const ids = others
      .filter((each) => Object.hasOwn(own.settings, setting) && Object.hasOwn(each.settings, setting))
      .filter((each) => own.settings[setting] !== each.settings[setting])
      .map(({ id }) => id)
    assert.equal(differences.find((each) => each.setting === setting)?.ids ?? [], ids)
  }
})

it('differences are the same from both sides, and contain no digest', [instance, instance], (one, other) => {
  const names = (own: Instance, each: Instance) => settingDifferences(own, [each]).map(({ setting }) => setting)
  assert.equal([...names(one, other)].sort(), [...names(other, one)].sort())
  const secret = { ...one, settings: { 'master-token': 'the digest of one' } }
  const differences = settingDifferences(secret, [{ ...other, settings: { 'master-token': 'of another' } }])
  assert.equal(differences, [{ setting: 'master-token', ids: [other.id] }])
})

Permit.run()
