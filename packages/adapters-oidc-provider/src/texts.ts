// What developers of applications read of a refusal: the texts of the engine, each with its remedy. The engine has made its
// answer before anybody can change its errors, so that texts are completed in the answer.
import type { KoaContextWithOIDC } from 'oidc-provider'

/** RFC 6749 §5.2, as the engine says it; `detail` is what it tells its host alone. */
export type Said = {
  readonly error: string
  readonly error_description?: string | undefined
  readonly detail?: string | undefined
}

type Mended = { readonly error: string; readonly error_description: string }

/** RFC 6749 §5.2: what is missing is a part of the request, where the engine finds fault with the grant. */
const missingProof: Mended = {
  error: 'invalid_request',
  error_description:
    'the DPoP proof is missing: send a header DPoP with a JWT that the key of the client has signed, because its access tokens are bound to that key (RFC 9449 4.2)',
}

/** For errors to which the engine says no more than their code. */
const ofCodes: Readonly<Record<string, string>> = {
  request_uri_not_supported:
    'request_uri is only for pushed requests here: push the request (RFC 9126), or ask the operator to turn request-uris on',
  registration_not_supported: 'registration is not read here: register the client at registration_endpoint',
  request_not_supported: 'request is not read here: send the parameters themselves',
}

/** A text of the engine, what follows it, and the code of RFC 6749 §5.2 where the engine has another one. */
const remedies: ReadonlyArray<readonly [text: RegExp, remedy: string, code?: string]> = [
  // RFC 6749 §2.3, RFC 7523: authentication of clients
  [
    /^client authentication failed$/,
    'authenticate by the token_endpoint_auth_method of the registration, with its client_secret, or with a client_assertion that a key of the client has signed, with iss, sub, aud, exp and a new jti',
  ],
  [
    /^no client authentication mechanism provided$/,
    'send client_id, and the credentials of the token_endpoint_auth_method that the client registered',
    'invalid_client',
  ],
  [/must only be provided using one mechanism$/, 'send it in one place alone'],
  [/^client_id mismatch$/, 'send the client_id of the credentials, or leave it out of the body'],
  [
    /^invalid authorization header value format$/,
    'send Basic and the base64 of client_id, a colon and client_secret, each of them form-urlencoded (RFC 6749 2.3.1)',
  ],
  [/are not properly encoded$/, 'form-urlencode each of them before they are joined (RFC 6749 2.3.1)'],
  [
    /^client_secret must be provided in the Authorization header$/,
    'send it, or client_id in the body for a client without a secret',
  ],
  [/^invalid client_assertion format$/, 'send a JWT in compact form'],
  [
    /^client_assertion_type must be provided$/,
    'send urn:ietf:params:oauth:client-assertion-type:jwt-bearer with client_assertion',
  ],
  [/^client is invalid$/, 'no client has this client_id here, so correct it or register the client'],
  // RFC 6749 §4, §5, §6: requests of tokens
  [/^unsupported grant_type requested$/, 'send one of grant_types_supported of the metadata'],
  [
    /^requested grant type is not allowed for this client$/,
    'register it in grant_types, without authentication by a certificate and without tokens that are bound to one',
    'unauthorized_client',
  ],
  [
    /^grant request is invalid$/,
    'the code or refresh token is unknown, expired, used or of another client, or redirect_uri, code_verifier or the key of the DPoP proof is another one than before: send what belongs to it, or begin again with an authorization request',
  ],
  [
    /^refresh token missing requested scopes?$/,
    'ask for values that it has, or begin again with an authorization request',
  ],
  [/^scope contains invalid characters$/, 'send values of visible ASCII characters, separated by one space'],
  [/^requested scope is not allowed$/, 'send values that the client registered'],
  [/^missing required parameters? /, 'send what is missing'],
  [/ must not be provided twice$/, 'send each once'],
  [/^failed to parse the request body$/, 'send application/x-www-form-urlencoded'],
  // RFC 8707
  [
    /^resource indicator is missing, or unknown$/,
    'send the absolute URI of a resource for which the client may get tokens',
  ],
  [/^only a single (?:resource indicator|audience) /, 'send resource once'],
  // RFC 9449
  [
    /^invalid DPoP key binding$/,
    'send a JWT of the typ dpop+jwt, signed by one of dpop_signing_alg_values_supported with the key whose public part is jwk in its header',
  ],
  [/^DPoP proof JWT Replay detected$/, 'send a new proof with a new jti with each request'],
  [/^DPoP proof iat is not recent enough$/, 'make a new proof for each request, and correct the clock of the client'],
  [/^DPoP nonces are not supported$/, 'leave nonce out of the proof'],
  [/^DPoP proof htm mismatch$/, 'set htm to the method of the request'],
  [
    /^DPoP proof htu mismatch$/,
    'set htu to the URL of the request as the metadata have it, without query and fragment',
  ],
  [/^DPoP proof ath mismatch$/, 'set ath to the base64url SHA-256 of the access token'],
  [/ does not match dpop_jkt$/, 'sign the proof with that key, or send the thumbprint of its key as dpop_jkt'],
  [/^`DPoP` header not provided$/, 'send a proof in it, with ath for the access token'],
  // RFC 6750, OpenID Core §5.3, RFC 7009, RFC 7662: use of tokens
  [
    /^invalid token provided$/,
    'it is unknown, expired, revoked, or sent otherwise than it is bound: get another one, and send it as Authorization: Bearer TOKEN, or as Authorization: DPoP TOKEN with a proof',
  ],
  [/^no access token provided$/, 'send it as Authorization: Bearer TOKEN'],
  [/^access tokens must not be provided via query parameter$/, 'send it as Authorization: Bearer TOKEN'],
  [/^access token missing /, 'ask for it in scope of the authorization request'],
  [/cannot be introspected via /, 'verify its signature by the keys at jwks_uri'],
  [/cannot be revoked via /, 'it ends by its exp, so revoke the refresh token'],
  [/^client is not authorized to revoke the presented token$/, 'only the client to which it was issued may'],
  [
    /^origin .* not allowed for client/,
    'register a redirection URI of that origin, or ask the operator to add it to cors-origins',
  ],
  // RFC 6749 §4.1, OpenID Core §3.1.2: authorization requests
  [/^unsupported response_type requested$/, 'send one of response_types_supported of the metadata'],
  [/^unsupported response_mode requested$/, 'send one of response_modes_supported of the metadata'],
  [/^requested response_mode is not allowed for /, 'send fragment or form_post, or leave response_mode out'],
  [
    /^redirect_uri did not match any of /,
    'send one of them as it is registered, character by character, or register this one',
  ],
  [/^unsupported prompt value requested$/, 'send some of prompt_values_supported of the metadata'],
  [/^invalid max_age parameter value$/, 'send a whole number of seconds'],
  [/^code_challenge_method must be provided$/, 'send S256'],
  [/^not supported value of code_challenge_method$/, 'send S256'],
  [/^could not (?:validate|decode) id_token_hint$/, 'send an ID token that this service issued to the client'],
  [/^End-User authentication is required$/, 'send the request without prompt none, so that the end-user can sign in'],
  // RFC 9101, RFC 9126
  [
    /^Pushed Authorization Request must be used$/,
    'send the parameters to pushed_authorization_request_endpoint of the metadata, and the request_uri of its answer here (RFC 9126)',
  ],
  [/^Request Object must be used by this client$/, 'send the parameters as a signed JWT in request (RFC 9101)'],
  [/^invalid request_uri$/, 'send the one that pushed_authorization_request_endpoint has answered'],
  [/^request_uri is invalid, expired, or was already used$/, 'push the request again'],
  [/^could not parse Request Object$/, 'send a JWT in compact form'],
  [
    /^could not decrypt request object$/,
    'encrypt it to the key with use enc at jwks_uri of the metadata, by one of request_object_encryption_alg_values_supported',
  ],
  [
    /^could not validate Request Object$/,
    'sign it with a key of jwks or jwks_uri of the client, by its request_object_signing_alg',
  ],
  [
    /^Request Object claims are invalid$/,
    'set iss to client_id, aud to the issuer, and exp to a time in the next minutes',
  ],
  [/^request client_id mismatch$/, 'set client_id of the object to that of the client'],
  [/^unsupported signed request alg$/, 'sign by one of request_object_signing_alg_values_supported of the metadata'],
  [/^the preregistered alg must be used in /, 'sign by request_object_signing_alg of the client'],
]

/** The refusal with its remedy; undefined where the engine says one, or none is known. */
export const mended = ({ error, error_description: text, detail = '' }: Said): Mended | undefined => {
  if (/DPoP proof JWT(?: not provided)?$/.test(detail)) return missingProof
  if (text === undefined) {
    const said = Object.hasOwn(ofCodes, error) ? ofCodes[error] : undefined
    return said === undefined ? undefined : { error, error_description: said }
  }
  const found = remedies.find(([pattern]) => pattern.test(text))
  if (found === undefined) return undefined
  const [, remedy, code = error] = found
  return { error: code, error_description: `${text}: ${remedy}` }
}

/** RFC 6749 §4.1.2.1: the members of the answer as they stand in a redirection. */
const encoded = (said: Said): string =>
  new URLSearchParams(
    Object.entries({ error: said.error, error_description: said.error_description }).filter(
      (member): member is [string, string] => member[1] !== undefined,
    ),
  ).toString()

/** Completes the answer to a request that was refused so. One as a signed or encrypted JWT stays as it is. */
export const mendAnswer = ({ response }: KoaContextWithOIDC, said: Said): void => {
  const better = mended(said)
  if (better === undefined) return
  const body: unknown = response.body
  if (typeof body === 'object' && body !== null && 'error' in body) Object.assign(body, better)
  const { location, 'www-authenticate': challenges } = response.headers
  if (typeof location === 'string')
    response.set(
      'Location',
      location.replace(encoded(said), () => encoded(better)),
    )
  const { error_description: text = '' } = said
  if (text === '') return
  const quoted = (answer: string): string => answer.replace(`"${text}"`, () => `"${better.error_description}"`)
  // Form Post Response Mode §2: no text that is redirected has a character that HTML escapes.
  if (typeof body === 'string') response.body = quoted(body)
  // RFC 6750 §3
  if (challenges !== undefined)
    response.set(
      'WWW-Authenticate',
      [challenges].flat().map((each) => quoted(each)),
    )
}
