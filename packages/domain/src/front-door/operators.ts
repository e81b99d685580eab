// The operator: specification §5.3
export {
  authorizeOperator,
  credentialOf,
  operatorOfTheStore,
  type ForOperator,
  type Operator,
  type OperatorRefusal,
  Issuer,
  fingerprintOf,
  holds,
  issuerOf,
} from '../authorization/operator.js'
export { neededPrivileges, type NeededFor, type OperatorRoute } from '../authorization/needed-privileges.js'
export { type OperatorToken } from '../authorization/operator-token.js'
export {
  allManagementPrivileges,
  intersectionOfManagement,
  isManagementPrivilege,
  issuableManagementPrivileges,
  managementPrivilegeTexts,
  managementScope,
  missingManagement,
  noManagementPrivileges,
  parseManagementPrivileges,
  permitsManagement,
  unionOfManagement,
  type ManagementPrivilege,
  type ManagementPrivileges,
} from '../authorization/management-privileges.js'
export { type OperatorTokens } from '../ports/operator-tokens.js'
export {
  decideOperatorToken,
  defaultOperatorTokenLifetime,
  issueOperatorToken,
  maxOperatorTokenLifetime,
  type IssueOperatorTokenFacts,
  type IssueOperatorTokenPorts,
  type IssueOperatorTokenRefusal,
  type IssueOperatorTokenRequest,
  type OperatorTokenResponse,
} from '../use-cases/issue-operator-token.js'
export {
  OperatorTokenDescription,
  listOperatorTokens,
  type OperatorTokenList,
} from '../use-cases/list-operator-tokens.js'
export { revokeOperatorToken, type RevokeOperatorTokenRequest } from '../use-cases/revoke-operator-token.js'
export { type RecognizeOperatorPorts } from '../use-cases/steps/recognize-operator.js'
