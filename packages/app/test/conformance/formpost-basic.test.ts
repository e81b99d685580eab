// The plan for Form Post OP, Basic: the same with response_mode form_post.
import { basicModules, begin } from './support/basic.js'
import { startOp } from './support/op.js'
import { runPlan } from './support/plan.js'

runPlan(
  'oidcc-formpost-basic-certification-test-plan',
  () => startOp('client_secret_basic', {}, 'form_post'),
  basicModules,
  begin,
)
