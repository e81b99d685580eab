// The operations on clients and initial access tokens, with their ports and errors: RFC 7591, RFC 7592
export {
  authenticateClient,
  type AuthenticateClientPorts,
  type AuthenticateClientRequest,
} from '../operations/sign-in.js'
export {
  decideClientAuthentication,
  type ClientAuthenticationFacts,
  type InvalidClient,
  type PresentedMethod,
} from '../registration/client-authentication.js'
export {
  deleteClient,
  type DeleteClientError,
  type DeleteClientPorts,
  type DeleteClientRequest,
} from '../operations/remove.js'
export {
  violatesPolicy,
  judgeStoredClient,
  judgeStoredMetadata,
  judgedClient,
  type ClientJudgement,
  type JudgedClient,
} from '../registration/decide.js'
export { judgeClients, type JudgeClientsRequest } from '../operations/explain.js'
export { explainRegistration, type Explanation, type Unchecked } from '../operations/explain.js'
export { readStatement } from '../operations/read-body.js'
export { describeProvider, ownMembers, type ProviderMetadata } from '../operations/publish.js'
export {
  decideInitialAccessToken,
  issueInitialAccessToken,
  maxInitialAccessTokenLifetime,
  type InitialAccessTokenResponse,
  type IssueFacts,
  type IssueInitialAccessTokenPorts,
  type IssueInitialAccessTokenRequest,
  type IssueRefusal,
} from '../operations/tokens.js'
export {
  InitialAccessTokenDescription,
  listInitialAccessTokens,
  type InitialAccessTokenList,
} from '../operations/tokens.js'
export { revokeInitialAccessToken } from '../operations/tokens.js'
export { renewCredentials, type RenewCredentialsError, type RenewCredentialsPorts } from '../operations/change.js'
export {
  checkPrecondition,
  entityTagOf,
  type EntityTag,
  type IfMatch,
  type Representation,
} from '../registration/registered-client.js'
export {
  decideRepetition,
  idempotencyLifetime,
  keyedRegistration,
  keyedRequest,
  type FoundRegistration,
  type KeyedRegistration,
  type KeyedRequest,
} from '../registration/repetition.js'
export { listClients, type ClientList, type ListClientsPorts } from '../operations/search.js'
export { type Recognized } from '../operations/caller.js'
export { requireOperator, type RequireOperatorPorts } from '../operations/caller.js'
export {
  decideRead,
  readClient,
  type DecidedRead,
  type ReadClientError,
  type ReadClientPorts,
  type ReadClientRequest,
  type ReadFacts,
} from '../operations/configure.js'
export {
  previewRegistration,
  registerClient,
  type RegisterClientError,
  type RegisterClientPorts,
  type RegisterClientRequest,
} from '../operations/register.js'
export {
  decideRegistration,
  traceRegistration,
  type DecidedRegistration,
  type RegistrationFacts,
  type RegistrationRefusal,
  type RegistrationTrace,
} from '../registration/decide.js'
export { defaultRegistration, type JudgingSettings, type RegistrationSettings } from '../registration/decide.js'
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
} from '../operations/configure.js'
export {
  decidePatch,
  patchClient,
  previewPatch,
  type PatchClientError,
  type PatchClientPorts,
  type PatchClientRequest,
  type PatchPreview,
} from '../operations/change.js'
export { mergePatch } from '../kernel/json.js'
