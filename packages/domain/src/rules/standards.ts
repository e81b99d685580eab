// The locations of the standards that members and rules refer to.
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
  'CIMD -02': 'https://www.ietf.org/archive/id/draft-ietf-oauth-client-id-metadata-document-02.txt',
  'Open Banking DCR 3.3': 'https://openbankinguk.github.io/dcr-docs-pub/v3.3/dynamic-client-registration.html',
}

const names = `RFC \\d+|${Object.keys(named).join('|')}`

/** The name of a standard in a text. */
export const standardName = new RegExp(names, 'g')

export const locationOf = (standard: string): string =>
  named[standard] ?? `https://www.rfc-editor.org/rfc/${standard.toLowerCase().replace(' ', '')}`

// The HTML of RFCs names its sections so.
const anchorOf = (section: string): string =>
  section === '' ? '' : `#${/^\d/.test(section) ? 'section' : 'appendix'}-${section}`

/** A part of a reference; `uri` leads to the standard, and to its section where that has an address. */
export type ReferencePart = { readonly text: string; readonly uri: string | undefined }

/** The reference of a rule, such as RFC 7591 §2, as links and the text between them. */
export const referenceParts = (reference: string): ReadonlyArray<ReferencePart> =>
  reference.split(new RegExp(`((?:${names})(?: §[\\w.]+)?)`)).flatMap((text): ReadonlyArray<ReferencePart> => {
    const [standard] = text.match(standardName) ?? []
    if (standard === undefined) return text === '' ? [] : [{ text, uri: undefined }]
    const section = standard.startsWith('RFC ') ? text.slice(standard.length + 2) : ''
    return [{ text, uri: `${locationOf(standard)}${anchorOf(section)}` }]
  })
