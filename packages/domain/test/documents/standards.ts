// The locations of the documents that members and rules refer to.
const openid = 'https://openid.net/specs/'

const named: Readonly<Record<string, string>> = {
  'OpenID Registration': `${openid}openid-connect-registration-1_0.html`,
  'OpenID Core': `${openid}openid-connect-core-1_0.html`,
  'OpenID Discovery': `${openid}openid-connect-discovery-1_0.html`,
  'OpenID RP-Initiated Logout': `${openid}openid-connect-rpinitiated-1_0.html`,
  'OpenID Front-Channel Logout': `${openid}openid-connect-frontchannel-1_0.html`,
  'OpenID Back-Channel Logout': `${openid}openid-connect-backchannel-1_0.html`,
  'OAuth Multiple Response Types': `${openid}oauth-v2-multiple-response-types-1_0.html`,
  'FAPI 2 Message Signing': `${openid}fapi-message-signing-2_0-final.html`,
  'FAPI 2 Security Profile': `${openid}fapi-security-profile-2_0-final.html`,
  JARM: `${openid}oauth-v2-jarm-final.html`,
  CIBA: `${openid}openid-client-initiated-backchannel-authentication-core-1_0.html`,
  'OpenID Federation': `${openid}openid-federation-1_0.html`,
  'OpenID for Verifiable Presentations': `${openid}openid-4-verifiable-presentations-1_0.html`,
  'OpenID for Verifiable Credential Issuance': `${openid}openid-4-verifiable-credential-issuance-1_0.html`,
  'OpenID RP Metadata Choices': `${openid}openid-connect-rp-metadata-choices-1_0.html`,
  'UMA Grant': 'https://docs.kantarainitiative.org/uma/wg/rec-oauth-uma-grant-2.0.html',
  'ETSI GS NFV-SEC 022':
    'https://www.etsi.org/deliver/etsi_gs/NFV-SEC/001_099/022/02.07.01_60/gs_NFV-SEC022v020701p.pdf',
  'FIPS 186-5': 'https://csrc.nist.gov/pubs/fips/186-5/final',
}

const ofRfc = /RFC \d+/g
const ofName = new RegExp(Object.keys(named).join('|'), 'g')

/** A text with its references to documents as links in short form: [RFC 7591] §2 */
export const withLinks = (text: string): string =>
  text.replace(ofRfc, (name) => `[${name}]`).replace(ofName, (name) => `[${name}]`)

const targetOf = (name: string): string =>
  named[name] ?? `https://www.rfc-editor.org/rfc/${name.toLowerCase().replace(' ', '')}`

/** The targets of the links in the text. */
export const linkTargets = (text: string): string =>
  [...new Set([...(text.match(ofRfc) ?? []), ...(text.match(ofName) ?? [])])]
    .sort()
    .map((name) => `[${name}]: ${targetOf(name)}`)
    .join('\n')
