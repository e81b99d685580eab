// The operations on clients and initial access tokens, with their ports and errors: RFC 7591, RFC 7592
export {
  authenticateClient,
  type AuthenticateClientPorts,
  type AuthenticateClientRequest,
} from '../use-cases/authenticate-client.js'
export {
  decideClientAuthentication,
  type ClientAuthenticationFacts,
  type InvalidClient,
  type PresentedMethod,
} from '../registration/decide-client-authentication.js'
export {
  deleteClient,
  type DeleteClientError,
  type DeleteClientPorts,
  type DeleteClientRequest,
} from '../use-cases/delete-client.js'
export {
  violatesPolicy,
  judgeStoredClient,
  judgeStoredMetadata,
  judgedClient,
  type ClientJudgement,
  type JudgedClient,
} from '../registration/judge-stored-client.js'
export { judgeClients, type JudgeClientsRequest } from '../use-cases/judge-clients.js'
export { explainRegistration, type Explanation, type Unchecked } from '../use-cases/explain-registration.js'
export { readStatement } from '../use-cases/steps/read-statement.js'
export { describeProvider, ownMembers, type ProviderMetadata } from '../use-cases/describe-provider.js'
export {
  decideInitialAccessToken,
  issueInitialAccessToken,
  maxInitialAccessTokenLifetime,
  type InitialAccessTokenResponse,
  type IssueFacts,
  type IssueInitialAccessTokenPorts,
  type IssueInitialAccessTokenRequest,
  type IssueRefusal,
} from '../use-cases/issue-initial-access-token.js'
export {
  InitialAccessTokenDescription,
  listInitialAccessTokens,
  type InitialAccessTokenList,
} from '../use-cases/list-initial-access-tokens.js'
export { revokeInitialAccessToken } from '../use-cases/revoke-initial-access-token.js'
export {
  renewCredentials,
  type RenewCredentialsError,
  type RenewCredentialsPorts,
} from '../use-cases/renew-credentials.js'
export {
  checkPrecondition,
  entityTagOf,
  type EntityTag,
  type IfMatch,
  type Representation,
} from '../registration/entity-tag.js'
export {
  decideRepetition,
  idempotencyLifetime,
  keyedRegistration,
  keyedRequest,
  type FoundRegistration,
  type KeyedRegistration,
  type KeyedRequest,
} from '../registration/idempotency.js'
export { listClients, type ClientList, type ListClientsPorts } from '../use-cases/list-clients.js'
export { type Recognized } from '../use-cases/steps/recognize-operator.js'
export { requireOperator, type RequireOperatorPorts } from '../use-cases/steps/require-operator.js'
export {
  decideRead,
  readClient,
  type DecidedRead,
  type ReadClientError,
  type ReadClientPorts,
  type ReadClientRequest,
  type ReadFacts,
} from '../use-cases/read-client.js'
export {
  previewRegistration,
  registerClient,
  type RegisterClientError,
  type RegisterClientPorts,
  type RegisterClientRequest,
} from '../use-cases/register-client.js'
export {
  decideRegistration,
  traceRegistration,
  type DecidedRegistration,
  type RegistrationFacts,
  type RegistrationRefusal,
  type RegistrationTrace,
} from '../registration/decide-registration.js'
export {
  defaultRegistration,
  type JudgingSettings,
  type RegistrationSettings,
} from '../registration/registration-settings.js'
export {
  decideUpdate,
  previewUpdate,
  updateClient,
  type DecidedUpdate,
  type UpdateClientError,
  type UpdateClientPorts,
  type UpdateClientRequest,
  type UpdateFacts,
  type UpdateRefusal,
} from '../use-cases/update-client.js'
export {
  decidePatch,
  patchClient,
  previewPatch,
  type PatchClientError,
  type PatchClientPorts,
  type PatchClientRequest,
  type PatchPreview,
} from '../use-cases/patch-client.js'
export { mergePatch } from '../json/merge-patch.js'
