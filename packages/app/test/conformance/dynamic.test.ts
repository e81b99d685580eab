// The plan for Dynamic OP, with its profile of settings: clients register openly, and authenticate with private_key_jwt.
import { bundledProgram } from '../support/bundled-program.js'
import { serveBy } from '../support/service.js'
import { userInfoRS256 } from './support/claims.js'
import { dynamicDiscovery, rotateKeys } from './support/discovery.js'
import { startOp } from './support/op.js'
import { runPlan } from './support/plan.js'
import * as redirects from './support/redirects.js'
import { refreshTokens } from './support/refresh-tokens.js'
import * as registration from './support/registration.js'
import * as requestObjects from './support/request-objects.js'
import * as responses from './support/responses.js'

serveBy(bundledProgram('service-with-receivers'))

runPlan(
  'oidcc-dynamic-certification-test-plan',
  () => startOp('private_key_jwt', { CLIENTELE_PROFILE: 'conformance-dynamic' }),
  {
    'oidcc-idtoken-rs256': responses.idTokenRS256,
    'oidcc-idtoken-unsigned': responses.idTokenUnsigned,
    'oidcc-userinfo-rs256': userInfoRS256,
    'oidcc-ensure-redirect-uri-in-authorization-request': redirects.missingRedirectUri,
    'oidcc-redirect-uri-query-OK': redirects.queryOk,
    'oidcc-redirect-uri-query-mismatch': redirects.queryMismatch,
    'oidcc-redirect-uri-query-added': redirects.queryAdded,
    'oidcc-redirect-uri-regfrag': redirects.registeredFragment,
    'oidcc-discovery-endpoint-verification': dynamicDiscovery,
    'oidcc-server': responses.server,
    'oidcc-registration-logo-uri': registration.logoUri,
    'oidcc-registration-policy-uri': registration.policyUri,
    'oidcc-registration-tos-uri': registration.tosUri,
    'oidcc-registration-jwks-uri': registration.jwksUri,
    'oidcc-registration-sector-uri': registration.sectorUri,
    'oidcc-registration-sector-bad': registration.sectorBad,
    'oidcc-server-rotate-keys': rotateKeys,
    'oidcc-request-uri-unsigned': requestObjects.requestUriUnsigned,
    'oidcc-request-uri-signed-rs256': requestObjects.requestUriSigned,
    'oidcc-ensure-request-object-with-redirect-uri': requestObjects.signedRequestObjectWithRedirectUri,
    'oidcc-refresh-token': refreshTokens,
    'oidcc-ensure-client-assertion-with-iss-aud-succeeds': registration.issuerAudience,
    'oidcc-refresh-token-rp-key-rotation': registration.keyRotation.end,
  },
  registration.keyRotation.begin,
)
