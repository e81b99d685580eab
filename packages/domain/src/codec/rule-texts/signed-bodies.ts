// Rules of registration requests that are signed as a whole: docs/open-banking.md.
import { rule } from './rule-text.js'

const request = 'Open Banking DCR 3.3, OBClientRegistrationRequest1'
const keys = 'Open Banking DCR 3.3, Of JWS & JWKS'

export const signedBodyRules = {
  'signed-body': rule(
    'The body must be a JWT in compact form, with a header and claims that every reader of JSON reads alike',
    request,
  ),
  'signed-body-algorithm': rule(
    'The body must be signed by PS256: sign it so, and say so in alg of its header',
    request,
  ),
  'signed-body-kid': rule('The body must name its key in kid of its header: send the kid of the signing key', request),
  'signed-body-header': rule(
    'The body must not have jwk, jku, x5c, x5u or crit in its header: leave them out, because the keys are those that the software statement names',
    keys,
  ),
  'signed-body-signature': rule(
    'The body must be signed by a key of the software: sign with a key that is in the key set of its software statement',
    'RFC 7515 §5.2',
  ),
  'signed-body-keys': rule(
    'The body cannot be verified, because software_jwks_endpoint of the software statement leads to no key set: publish the keys there, at a public https address without redirect, and repeat the request',
    keys,
  ),
  'signed-body-keys-off': rule(
    'The body cannot be verified, because the setting outbound-fetches is off: send a software statement with software_jwks, or ask the operator to turn it on',
    keys,
  ),
  'signed-body-audience': rule(
    'must be the identifier of this service at the directory: send the one that its operator publishes',
    request,
  ),
  'signed-body-expired': rule('must be a time in seconds that is not past: sign a new request', request),
  'signed-body-not-yet': rule('must be a time in seconds that is not in the future: correct the clock', request),
  'signed-body-id': rule('must be a UUID of version 4: send a new one with each request', request),
  'signed-body-issuer': rule(
    'must be the software_id of the software statement: send that, with the statement of the same software',
    request,
  ),
  'signed-body-software': rule('must be that of the software statement, or be left out', request),
  'signed-body-other-software': rule(
    'must be that of the registered client: register the other software as a client of its own',
    request,
  ),
  'signed-body-redirect-uri': rule(
    'must be among software_redirect_uris of the software statement: register it at the directory, and send a new statement',
    request,
  ),
  'signed-body-own-keys': rule(
    'must be left out of a signed request: the keys are those that the software statement names',
    keys,
  ),
} as const
