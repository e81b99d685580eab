import { type Privileges, allPrivileges, grantPrivilege, noPrivileges } from '@clientele/domain/authorization'

/** The privileges of each scope value, independent of the table under test. */
export const permittedByScopeValue: Readonly<Record<string, Privileges>> = {
  'client-reg': allPrivileges,
  'client-reg:grant:code': grantPrivilege('authorization_code'),
  'client-reg:grant:implicit': grantPrivilege('implicit'),
  'client-reg:grant:refresh': grantPrivilege('refresh_token'),
  'client-reg:grant:password': grantPrivilege('password'),
  'client-reg:grant:client': grantPrivilege('client_credentials'),
  'client-reg:grant:jwt': grantPrivilege('urn:ietf:params:oauth:grant-type:jwt-bearer'),
  'client-reg:grant:saml': grantPrivilege('urn:ietf:params:oauth:grant-type:saml2-bearer'),
  'client-reg:scope': { ...noPrivileges, scope: 'any' },
  'client-reg:scope:openid': { ...noPrivileges, scope: ['openid'] },
  'client-reg:data': { ...noPrivileges, data: true },
  'client-reg:set-id': { ...noPrivileges, preferred_client_id: true },
  'client-reg:set-secret': { ...noPrivileges, preferred_client_secret: true },
}

/** The grant types that scope values name. */
export const grantTypesByScopeValue: ReadonlyArray<string> = Object.values(permittedByScopeValue).flatMap(
  ({ grant_types }) => (grant_types === 'any' ? [] : grant_types),
)
