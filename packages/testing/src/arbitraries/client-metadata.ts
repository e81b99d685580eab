import * as fc from 'fast-check'
import { authentication } from './client-authentication.js'
import {
  type SentMetadata,
  allOf,
  customData,
  humanReadableText,
  languageTag,
  list,
  someOf,
  together,
} from './json-values.js'
import { grantTypes, scopeToken } from './privileges.js'
import {
  fetchedUri,
  httpsUri,
  implicitRedirectUri,
  loopbackRedirectUri,
  nativeRedirectUri,
  privateUseUri,
  webRedirectUri,
  webUri,
} from './uris.js'

const word = (): fc.Arbitrary<string> => fc.constantFrom('payment', 'urn:acr:two-factors', 'https://rp.example/type')

const openid = (): fc.Arbitrary<SentMetadata> =>
  someOf({
    default_max_age: fc.nat(),
    require_auth_time: fc.boolean(),
    default_acr_values: list(word(), 0),
    initiate_login_uri: httpsUri(),
    request_uris: list(
      fc.oneof(
        fetchedUri(),
        fetchedUri().map((uri) => `${uri}#${'h-_'.repeat(14)}A`),
      ),
      0,
    ),
    backchannel_logout_uri: fetchedUri(),
    backchannel_logout_session_required: fc.boolean(),
    frontchannel_logout_session_required: fc.boolean(),
  })

const extended = (): fc.Arbitrary<SentMetadata> =>
  someOf({
    tls_client_certificate_bound_access_tokens: fc.boolean(),
    use_mtls_endpoint_aliases: fc.boolean(),
    require_signed_request_object: fc.constant(false),
    require_pushed_authorization_requests: fc.boolean(),
    dpop_bound_access_tokens: fc.boolean(),
    authorization_details_types: list(word(), 0),
    response_modes: fc.subarray(['query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'form_post.jwt']),
    client_registration_types: fc.subarray(['automatic', 'explicit']),
    organization_name: humanReadableText(),
    organization_uri: webUri(),
    description: humanReadableText(),
    keywords: list(humanReadableText(), 1),
    information_uri: webUri(),
    vp_formats_supported: fc.constantFrom({}, { mso_mdoc: {}, 'dc+sd-jwt': { 'sd-jwt_alg_values': ['ES256'] } }),
    encrypted_response_enc_values_supported: fc.constantFrom(['A128GCM'], ['A256GCM', 'of-tomorrow']),
    credential_offer_endpoint: fc.oneof(httpsUri(), privateUseUri(), fc.constant('openid-credential-offer://')),
    signed_jwks_uri: httpsUri(),
    backchannel_user_code_parameter: fc.boolean(),
  })

const delivery = (): fc.Arbitrary<SentMetadata> =>
  fc.oneof(
    { withCrossShrink: true },
    someOf({ backchannel_token_delivery_mode: fc.constant('poll') }),
    httpsUri().chain((uri) =>
      fc.constantFrom('ping', 'push').map((mode) => ({
        backchannel_token_delivery_mode: mode,
        backchannel_client_notification_endpoint: uri,
      })),
    ),
  )

// Lists that contain the other choices of the body, and unknown values.
const choices = (): fc.Arbitrary<SentMetadata> =>
  someOf({
    subject_types_supported: fc.constant(['pairwise', 'public', 'of-tomorrow']),
    userinfo_encryption_enc_values_supported: fc.constant(['A128CBC-HS256', 'A256CBC-HS512', 'A256GCM', 'A512GCM']),
    backchannel_token_delivery_modes_supported: fc.constant(['push', 'poll', 'ping', 'telepathy']),
  })

/** Members of the extensions that do not restrict the kind of the client. */
const extensions = (): fc.Arbitrary<SentMetadata> => together(openid(), extended(), delivery(), choices())

const implicitResponseTypes = ['token', 'id_token', 'id_token token', 'token id_token']
const hybridResponseTypes = ['code id_token', 'token code', 'code token id_token']

type Kind = {
  readonly application: 'web' | 'native' | undefined
  readonly grants: ReadonlyArray<string> | undefined
  /** Of a client without a type: whether its redirection URIs are those of an installed application. */
  readonly isInstalled: boolean
  /** Whether the only response type is none. */
  readonly asksForNothing: boolean
}

const kind = (): fc.Arbitrary<Kind> =>
  fc.record({
    application: fc.constantFrom('web' as const, 'native' as const, undefined),
    grants: fc.option(fc.shuffledSubarray([...grantTypes]), { nil: undefined, freq: 4 }),
    isInstalled: fc.boolean(),
    asksForNothing: fc.boolean(),
  })

const chosenKind = ({ application, grants }: Kind): SentMetadata => ({
  ...(application === undefined ? {} : { application_type: application }),
  ...(grants === undefined ? {} : { grant_types: grants }),
})

const nativeUri = nativeRedirectUri()
const installedUri = fc.oneof(privateUseUri(), loopbackRedirectUri())
const anyWebUri = webRedirectUri()
const implicitUri = implicitRedirectUri()

const redirects = ({
  application,
  grants = ['authorization_code'],
  isInstalled,
  asksForNothing,
}: Kind): fc.Arbitrary<SentMetadata> => {
  const implicit = grants.includes('implicit')
  const needed = implicit || grants.includes('authorization_code') || asksForNothing
  // Without a type, redirection URIs of an installed application make the client native.
  const installed = application === undefined && isInstalled && needed && !implicit
  const plain = application === 'native' || installed ? nativeUri : anyWebUri
  const ofCode = installed ? installedUri : plain
  const uri = implicit && application !== 'native' ? implicitUri : ofCode
  return together(
    needed ? allOf({ redirect_uris: list(uri, 1) }) : someOf({ redirect_uris: list(uri, 0, 0) }),
    someOf({ post_logout_redirect_uris: list(plain, 0), claims_redirect_uris: list(plain, 0, 1) }),
  )
}

const responses = ({ grants = ['authorization_code'], asksForNothing }: Kind): fc.Arbitrary<SentMetadata> => {
  const code = grants.includes('authorization_code')
  const implicit = grants.includes('implicit')
  const possible = [
    ...(code ? ['code'] : []),
    ...(implicit ? implicitResponseTypes : []),
    ...(code && implicit ? hybridResponseTypes : []),
    ...(asksForNothing ? ['none'] : []),
  ]
  if (possible.length === 0) return someOf({ response_types: fc.constant([]) })
  const chosen = fc.shuffledSubarray(possible, { minLength: 1 })
  return code ? someOf({ response_types: chosen }) : allOf({ response_types: chosen })
}

const descriptions = (): fc.Arbitrary<SentMetadata> =>
  someOf({
    client_name: humanReadableText(),
    client_uri: webUri(),
    logo_uri: webUri(),
    tos_uri: webUri(),
    policy_uri: webUri(),
    contacts: list(humanReadableText(), 0, 4),
    scope: fc.array(scopeToken(), { minLength: 1, maxLength: 4 }).map((values) => values.join(' ')),
    software_id: humanReadableText(),
    software_version: humanReadableText(),
    data: customData(),
  })

const variants = (): fc.Arbitrary<SentMetadata> =>
  fc
    .tuple(languageTag(), languageTag(), humanReadableText(), webUri(), fc.boolean())
    .map(([one, other, name, uri, sent]) =>
      sent ? { [`client_name#${one}`]: name, [`tos_uri#${other}`]: uri, [`keywords#${one}`]: [name] } : {},
    )

const isEmpty = (list: unknown): boolean => !Array.isArray(list) || list.length === 0

// OpenID Registration §2: an unsigned ID token never passes through the browser; Back-Channel Logout §2.6
const mayBeUnsigned = ({
  response_types,
  id_token_signing_alg_values_supported: supported,
  post_logout_redirect_uris,
  backchannel_logout_uri,
}: SentMetadata): boolean =>
  supported === undefined &&
  backchannel_logout_uri === undefined &&
  isEmpty(post_logout_redirect_uris) &&
  (!Array.isArray(response_types) || response_types.every((type) => !String(type).includes('id_token')))

const unsigned = (made: SentMetadata): fc.Arbitrary<SentMetadata> =>
  mayBeUnsigned(made)
    ? fc.constantFrom(made, made, made, { ...made, id_token_signed_response_alg: 'none' })
    : fc.constant(made)

const hostsOf = ({ redirect_uris: uris }: SentMetadata): ReadonlyArray<string> =>
  Array.isArray(uris)
    ? uris.map((uri) => /^https?:\/\/(\[::1\]|[^:/?]+)/.exec(String(uri))?.[1]?.toLowerCase() ?? '')
    : []

const withoutOwner = [undefined, '', 'localhost', '127.0.0.1', '[::1]']

const isOneHost = (hosts: ReadonlyArray<string>): boolean =>
  !withoutOwner.includes(hosts[0]) && new Set(hosts).size === 1

// OpenID Core §8.1: pairwise subjects need redirection URIs of one host that has an owner
const pairwise = (made: SentMetadata): fc.Arbitrary<SentMetadata> =>
  isOneHost(hostsOf(made))
    ? fc.constantFrom(made, { ...made, subject_type: 'pairwise' }, { ...made, subject_type: 'public' })
    : fc.constantFrom(made, { ...made, subject_type: 'public' })

// OpenID Front-Channel Logout §2: on the origin of a redirection URI
const frontchannelLogout = (made: SentMetadata): fc.Arbitrary<SentMetadata> => {
  const [first] = Array.isArray(made['redirect_uris']) ? made['redirect_uris'] : []
  const [origin] = /^https?:\/\/[^/?]+/.exec(String(first)) ?? []
  return origin === undefined
    ? fc.constant(made)
    : fc.constantFrom(made, { ...made, frontchannel_logout_uri: `${origin}/logout?by=browser` })
}

const ofItsKind = (): fc.Arbitrary<SentMetadata> =>
  kind().chain((chosen) => together(fc.constant(chosenKind(chosen)), redirects(chosen), responses(chosen)))

// RFC 6749 §4.4: grants for confidential clients only
const withoutConfidentialGrants = (made: SentMetadata): SentMetadata =>
  made['token_endpoint_auth_method'] === 'none' && Array.isArray(made['grant_types'])
    ? { ...made, grant_types: made['grant_types'].filter((grant) => grant !== 'client_credentials') }
    : made

/** Valid client metadata, web and native, of any members except those that make the service send requests. */
export const validClientMetadata = (): fc.Arbitrary<SentMetadata> =>
  together(ofItsKind(), authentication(), descriptions(), extensions(), variants())
    .map(withoutConfidentialGrants)
    .chain(unsigned)
    .chain(pairwise)
    .chain(frontchannelLogout)
