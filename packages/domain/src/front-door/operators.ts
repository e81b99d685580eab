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
export { neededPrivileges, type NeededFor, type OperatorRoute } from '../authorization/privileges.js'
export { type OperatorToken } from '../authorization/operator.js'
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
} from '../authorization/privileges.js'
export { type OperatorTokens } from '../ports/store.js'
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
} from '../operations/operators.js'
export { OperatorTokenDescription, listOperatorTokens, type OperatorTokenList } from '../operations/operators.js'
export { revokeOperatorToken, type RevokeOperatorTokenRequest } from '../operations/operators.js'
export { type RecognizeOperatorPorts } from '../operations/caller.js'
