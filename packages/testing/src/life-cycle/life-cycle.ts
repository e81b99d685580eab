import * as fc from 'fast-check'
import {
  type LifeCycleCommand,
  issue,
  knockWithOtherTokens,
  list,
  pass,
  read,
  register,
  remove,
  scopeOfGrant,
  update,
  updateAgain,
} from './commands.js'
import { nothingYet } from './model.js'
import type { LifeCycleSubject } from './subject.js'

export type LifeCycleOptions = {
  /** Seconds after which a client secret expires. */
  readonly secretLifetime: number
  /** Seconds in which the registration access token of an update stays valid until the new one is used; none if left out. */
  readonly grace?: number
  /** Whether it runs concurrently with others in one registry: then it neither passes time nor lists clients. */
  readonly beside?: boolean
  readonly maxCommands?: number
}

// Every choice includes the first one, so that many requests are permitted.
const [first = '', ...further] = Object.keys(scopeOfGrant)
const grants = fc.subarray(further).map((some) => [first, ...some])
const few = fc.oneof({ weight: 3, arbitrary: fc.constant([first]) }, { weight: 1, arbitrary: grants })
const name = fc.stringMatching(/^[a-z]{1,8}$/)
const choice = fc.nat(20)

/**
 * The life cycle of a registry: tokens are issued, clients registered, read, updated, removed and listed, and time
 * passes.
 */
export const lifeCycleCommands = ({
  secretLifetime,
  grace = 0,
  beside = false,
  maxCommands = 60,
}: LifeCycleOptions): fc.Arbitrary<Iterable<LifeCycleCommand>> => {
  const registration = fc
    .tuple(fc.record({ choice, unspent: fc.boolean() }), few, name)
    .map(([token, requested, called]) => register(token, requested, called, secretLifetime))
  return fc.commands(
    [
      fc.tuple(grants, fc.integer({ min: 1, max: 3_000 })).map(([granted, lifetime]) => issue(granted, lifetime)),
      registration,
      // Twice, so that there are more clients.
      registration,
      choice.map((client) => read(client, secretLifetime)),
      fc
        .tuple(choice, grants, name)
        .map(([client, requested, called]) => update(client, requested, called, { secretLifetime, grace })),
      fc.tuple(choice, name).map(([client, called]) => updateAgain(client, called, secretLifetime)),
      choice.map(knockWithOtherTokens),
      choice.map(remove),
      ...(beside ? [] : [fc.constant(list()), fc.integer({ min: 1, max: 700 }).map(pass)]),
    ],
    // The default size of fast-check ends a sequence after ten commands, whatever the maximum is
    { maxCommands, size: 'max' },
  )
}

/** Runs one life cycle, and fails where the subject differs from the model. */
export const liveLifeCycle = (commands: Iterable<LifeCycleCommand>, subject: LifeCycleSubject): Promise<void> =>
  fc.asyncModelRun(() => ({ model: nothingYet(), real: subject }), commands)
