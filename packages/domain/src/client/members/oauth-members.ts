import { dataType } from '../data-type.js'
import { jwkSetType } from '../json-web-key-set.js'
import {
  applicationType,
  authMethod,
  contacts,
  grantTypes,
  httpsUri,
  responseTypes,
  scope,
  softwareStatement,
  text,
  redirectionUris,
  webUri,
} from '../value-types.js'
import { definedIn, languageTagged, redirects } from './member.js'

const rfc7591 = definedIn('RFC 7591 §2')
const openid = definedIn('OpenID Registration §2')

export const redirectMember = {
  redirect_uris: rfc7591(redirectionUris, 'Where the answer of the authorization endpoint may be sent', redirects),
}

export const oauthMembers = {
  token_endpoint_auth_method: rfc7591(authMethod, 'How the client authenticates', { default: 'client_secret_basic' }),
  grant_types: rfc7591(grantTypes, 'The grants that the client uses', { default: ['authorization_code'] }),
  response_types: rfc7591(
    responseTypes,
    'What the client asks of the authorization endpoint; the words of each in any order',
    { byDefault: '`["code"]` with the grant `authorization_code`, else `[]`' },
  ),
  application_type: openid(applicationType, 'Which redirection URIs it may have', {
    byDefault: '`native` if `redirect_uris` are those of an installed application, else `web`',
  }),
  client_name: rfc7591(text, 'The name that people read', languageTagged),
  client_uri: rfc7591(webUri, 'A page about the client', languageTagged),
  logo_uri: rfc7591(webUri, 'A picture that stands for the client; never fetched by this service', languageTagged),
  scope: rfc7591(scope, 'The scope values that the client may ask for', { emptyIsAbsent: true }),
  contacts: rfc7591(contacts, 'How to reach those who answer for the client'),
  tos_uri: rfc7591(webUri, 'Its terms of service', languageTagged),
  policy_uri: rfc7591(webUri, 'How it uses the data of people', languageTagged),
  jwks_uri: rfc7591(httpsUri, 'Where its public keys stand'),
  jwks: rfc7591(jwkSetType, 'Its public keys themselves'),
  software_id: rfc7591(text, 'The software, the same for all its instances'),
  software_version: rfc7591(text, 'The version of the software'),
}

export const ownMembers = {
  data: definedIn('specification §2.1')(dataType, 'Custom data, kept as it is'),
  software_statement: definedIn('RFC 7591 §2.3')(
    softwareStatement,
    'Members that an issuer vouches for; what it says wins over the body',
  ),
}
