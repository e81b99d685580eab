// The plan for Basic OP: the code flow of a client with client_secret_basic.
import { basicModules, begin } from './support/basic.js'
import { startOp } from './support/op.js'
import { runPlan } from './support/plan.js'

runPlan('oidcc-basic-certification-test-plan', () => startOp(), basicModules, begin)
