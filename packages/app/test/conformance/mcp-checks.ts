// The checks of the conformance tool of the Model Context Protocol for authorization servers, by its scenarios, under its own
// names, and what each says of this service. Its other scenarios test clients and MCP servers.

/** The newest version; 0.1.16, the newest without a label, has no scenario for authorization servers. */
export const mcpTool = { name: '@modelcontextprotocol/conformance', version: '0.2.0-alpha.12' } as const

export type McpStatus = 'SUCCESS' | 'WARNING' | 'FAILURE' | 'SKIPPED'

/** The service: with the profile alone, or with the two settings that accept documents as well. */
export type McpSubject = 'profile' | 'documents'

/** The client that the tool is given. */
export type McpClient = 'none' | 'public' | 'with a secret' | 'with a document'

export type McpCheck = {
  readonly scenario: 'authorization-server-metadata-endpoint' | 'authorization-code-grant'
  readonly check: string
  readonly subject: McpSubject
  readonly client?: McpClient
  readonly status: McpStatus
  /** What the tool says of it; undefined for a success. */
  readonly message?: string
  readonly because?: string
}

const metadata = 'authorization-server-metadata-endpoint'
const grant = 'authorization-code-grant'

const ofGrant = (subject: McpSubject, client: McpClient) =>
  ({ scenario: grant, check: grant, subject, client }) as const

// The tool asks for `none` wherever the metadata list it, also of a client for which it was given a secret.
const secretLeftOut = {
  status: 'FAILURE',
  message: 'Invalid status code: 401',
  because:
    'the tool leaves the secret out where `token_endpoint_auth_methods_supported` has `none`; such a request is refused (RFC 6749 §3.2.1), and passes with the secret',
} as const

export const mcpChecks: ReadonlyArray<McpCheck> = [
  { scenario: metadata, check: 'authorization-server-metadata', subject: 'profile', status: 'SUCCESS' },
  { scenario: metadata, check: 'authorization-server-metadata', subject: 'documents', status: 'SUCCESS' },
  {
    scenario: metadata,
    check: 'authorization-server-metadata-cimd',
    subject: 'profile',
    status: 'WARNING',
    message: 'Expected "client_id_metadata_document_supported" to be true, got false',
    because: 'the profile accepts no documents',
  },
  { scenario: metadata, check: 'authorization-server-metadata-cimd', subject: 'documents', status: 'SUCCESS' },
  { ...ofGrant('profile', 'public'), status: 'SUCCESS' },
  { ...ofGrant('profile', 'with a secret'), ...secretLeftOut },
  {
    ...ofGrant('profile', 'none'),
    status: 'SKIPPED',
    message: 'authorization-code-grant requires --client-id',
    because: 'the tool does not register a client',
  },
  { ...ofGrant('documents', 'public'), status: 'SUCCESS' },
  { ...ofGrant('documents', 'with a secret'), ...secretLeftOut },
  { ...ofGrant('documents', 'with a document'), status: 'SUCCESS' },
]
