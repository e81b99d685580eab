// What the engine says of a refusal has a remedy, of this release and of the next one.
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import { mended } from '../src/texts.js'

const Texts = suite('texts of the engine')
const it = law(Texts)

const library = join(dirname(createRequire(import.meta.url).resolve('oidc-provider')), '.')

/** What this service does not serve, or answers in place of the engine. */
const unserved =
  /(?:ciba|device|code_verification|user_code|credential|openid_credential_issuer|registration|initial_access|end_session|attest|check_rar|authorization_details|claims|client_schema|sector|client_id_metadata_document|pre_authorized|re_render|interaction|session|resume|xsrf|defaults|models\/client|errors)[^/]*\.js$/

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)],
  )

/** The texts that answers contain: of errors whose first argument is their description. */
const thrown =
  /new (?:errors\.)?(?:InvalidRequest|InvalidScope|InvalidTarget|InvalidDpopProof|InvalidRequestObject|InvalidRequestUri|InvalidClient|UnsupportedTokenType|InsufficientScope)\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`)/g

/** A text of a template, with an example of each of its parts. */
const filled = (template: string): string =>
  template
    .replace(/\$\{formatters\.pluralize\('(\w+)'[^}]*\}/g, '$1')
    .replace('${grantType}', 'implicit')
    .replace('${msg} unless', 'requested response_mode is not allowed for code unless')
    .replace(/\$\{ctx\.oidc\.route ===[^}]*\}/, 'revoked')
    .replace(/\$\{[^}]*\}/g, 'x')

const textsIn = (file: string): ReadonlyArray<string> =>
  [...readFileSync(file, 'utf8').matchAll(thrown)].map(([, plain, template = '']) =>
    (plain ?? filled(template)).replaceAll("\\'", "'"),
  )

/** They say by themselves what to send. */
const ownRemedies = [
  /^client_assertion_type must have value /,
  /^x must be a string with a m/,
  /^x contains invalid characters$/,
  /^only x content-type bodies are supported on /,
  /^introspection must be requested with Accept: /,
  /^(?:`DPoP` tokens|authorization header scheme) must be /,
  /^DPoP proof (?:must have|nonce must be) /,
  /^resource indicator must /,
  /^prompt none must only be used alone$/,
  /^openid scope must be requested /,
  /^code_challenge must be provided with code_challenge_method$/,
  /^request and request_uri parameters MUST NOT be used together$/,
  /^multiple proof-of-possession mechanisms are not allowed$/,
  /^request (?:response_type|client_id) must equal /,
  /^Request Object must not contain /,
  // Its own text is thrown before.
  /^Authorization Server policy requires PKCE /,
  /^requested response_type is not allowed for this client$/,
  // They are not done here.
  /^implicit is not allowed for this client$/,
  /^invalid OAuth-Client-Attestation format$/,
  /^invalid claims\./,
  /^Encrypted Request Objects are not supported by CIBA$/,
  /^Web Message Response Mode /,
]

Texts('each one that an application can meet has a remedy', () => {
  const found = filesIn(library)
    .filter((file) => /\.js$/.test(file) && !unserved.test(relative(library, file)))
    .flatMap((file) => textsIn(file).map((text) => ({ file: relative(library, file), text })))
  assert.ok(found.length > 60, `${found.length}`)
  const without = found.filter(
    ({ text }) =>
      mended({ error: 'invalid_request', error_description: text }) === undefined &&
      !ownRemedies.some((each) => each.test(text)),
  )
  assert.equal(without, [])
})

Texts('those of a class have one as well', () => {
  const errors = readFileSync(join(library, 'helpers/errors.js'), 'utf8')
  const ofClass = (name: string): string =>
    new RegExp(`class ${name} [^}]*?error_description = '([^']*)'`).exec(errors)?.[1] ??
    new RegExp(`const ${name} = E\\('[a-z_]+', '([^']*)'\\)`).exec(errors)?.[1] ??
    name
  for (const name of [
    ...['InvalidToken', 'InvalidClientAuth', 'InvalidGrant', 'InvalidTarget'],
    ...['UnsupportedGrantType', 'UnsupportedResponseMode', 'UnsupportedResponseType'],
  ]) {
    const text = ofClass(name)
    assert.match(mended({ error: 'x', error_description: text })?.error_description ?? '', `${text}: `, name)
  }
  assert.match(errors, "'redirect_uri did not match any of the client\\'s registered redirect_uris'")
})

// RFC 6749 §5.2: %x20-21 / %x23-5B / %x5D-7E
const permitted = /^[\x20-\x21\x23-\x5B\x5D-\x7E]*$/

it(
  'a remedy follows the text, in the characters of RFC 6749, and no error is another one but for a proof, a grant or a client',
  [fc.string(), fc.option(fc.string(), { nil: undefined }), fc.option(fc.string(), { nil: undefined })],
  (error, error_description, detail) => {
    const said = mended({ error, error_description, detail })
    if (said === undefined || said.error === error) return
    assert.match(
      `${detail ?? ''} ${error_description ?? ''}`,
      /DPoP proof JWT|grant type is not allowed|no client authentication/,
    )
  },
)

Texts('a refusal without its proof says what to send', () => {
  for (const detail of ['DPoP proof JWT not provided', 'missing DPoP proof JWT']) {
    const said = mended({ error: 'invalid_grant', error_description: 'grant request is invalid', detail })
    assert.is(said?.error, 'invalid_request')
    assert.match(said?.error_description ?? '', permitted)
  }
  assert.is(mended({ error: 'invalid_grant', error_description: 'of another kind' }), undefined)
  assert.is(mended({ error: 'constructor' }), undefined)
})

Texts.run()
