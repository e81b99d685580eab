// A plan of the suite as a uvu suite: one service for all of its modules, and one test for each.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ModuleOf, type Outcome, type PlanName, isOffered, modulesOf } from '../modules.js'
import type { Op } from './op.js'

export type Module = (op: Op) => Promise<void>
export type Modules<Plan extends PlanName> = Readonly<Record<ModuleOf<Plan>, Module>>

/** A module with a long pause. It begins with the plan, so that the other modules run meanwhile. */
export const pausing = <State>(
  seconds: number,
  begin: (op: Op) => Promise<State>,
  end: (op: Op, state: State) => Promise<void>,
): { readonly begin: Module; readonly end: Module } => {
  const begun: { at: number; state?: State } = { at: 0 }
  return {
    begin: async (op) => {
      begun.state = await begin(op)
      begun.at = Date.now()
    },
    end: async (op) => {
      if (begun.state === undefined) throw new Error('the module did not begin')
      await new Promise((resolve) => setTimeout(resolve, begun.at + seconds * 1000 - Date.now()))
      await end(op, begun.state)
    },
  }
}

const lackOf = (outcome: Outcome) => (outcome.result === 'passes' ? undefined : outcome.lack)

export const runPlan = <Plan extends PlanName>(
  plan: Plan,
  start: () => Promise<Op>,
  modules: Modules<Plan>,
  begin: Module = () => Promise.resolve(),
): void => {
  const test = suite<{ op: Op }>(plan)
  test.before(async (context) => {
    context.op = await start()
    await begin(context.op)
  })
  test.after(async ({ op }) => op.provider.stop())

  test('each module of the list has a test, and no test lacks a module', () => {
    assert.equal(
      Object.keys(modules).sort(),
      modulesOf(plan)
        .map(([name]) => name)
        .sort(),
    )
  })

  test('a module that is not run, warns or fails is about what the metadata do not offer', ({ op }) => {
    for (const [name, outcome] of modulesOf(plan)) {
      const lack = lackOf(outcome)
      if (lack !== undefined) assert.not.ok(isOffered(lack, op.metadata), name)
    }
  })

  for (const [name, run] of Object.entries<Module>(modules)) test(name, ({ op }) => run(op))
  test.run()
}
