// The plan for Config OP: the metadata alone.
import { discoveryOverHttps } from './support/discovery.js'
import { startOp } from './support/op.js'
import { runPlan } from './support/plan.js'

runPlan('oidcc-config-certification-test-plan', () => startOp(), {
  'oidcc-discovery-endpoint-verification': discoveryOverHttps,
})
