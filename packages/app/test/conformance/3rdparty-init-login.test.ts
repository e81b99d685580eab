// The plan for 3rd Party-Initiated Login OP: a client registers where a login at it begins.
import { startOp } from './support/op.js'
import { runPlan } from './support/plan.js'
import { initiateLogin, initiateLoginPlain } from './support/registration.js'

runPlan(
  'oidcc-3rdparty-init-login-certification-test-plan',
  () => startOp('client_secret_basic', { CLIENTELE_CONSENT_DETAILS: 'all' }),
  { 'oidcc-3rd_party-init-login': initiateLogin, 'oidcc-3rd_party-init-login-nohttps': initiateLoginPlain },
)
