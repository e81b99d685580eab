// The pages of docs/ and their places: the sidebar of the site shows them, and tools/check-docs.mjs compares them with the files.

/** Twenty pages at most, in four groups. */
export const groups = {
  Start: {
    'start/run.md': 'Run it',
    'start/mcp.md': 'Protect an MCP server',
    'start/beside-your-provider.md': 'Beside your provider',
  },
  Use: {
    'use/register.md': 'Register',
    'use/documents.md': 'Clients with a document',
    'use/client-metadata.md': 'Metadata, errors and rules',
    'use/sign-in.md': 'Sign-in and consent',
    'use/logout.md': 'Logout',
    'use/keys.md': 'Keys for verifiers',
  },
  Operate: {
    'operate/deploy.md': 'Deploy',
    'operate/settings.md': 'Settings and commands',
    'operate/year.md': 'A year with it',
    'operate/several-instances.md': 'Several instances',
    'operate/operators.md': 'Operators and audit',
    'operate/observe.md': 'Observe',
    'operate/security.md': 'Security',
    'operate/size.md': 'Size it',
  },
  Reuse: {
    'reuse/rules.md': 'The rules as a library',
    'reuse/test-your-rules.md': 'Test your rules',
    'reuse/host.md': 'HTTP in your host',
  },
}

/** Not counted: generated reports, and what contributors read. The records of decisions are listed by their own index. */
export const beside = {
  Reports: {
    'conformance.md': 'Conformance and real clients',
    'login-presets.md': 'Login presets',
    'bench.md': 'Results of the bench',
  },
  Contribute: {
    'map.md': 'Map of the code',
    'walk-post-clients.md': 'Walk of POST /clients',
    'walk-get-client.md': 'Walk of GET /clients/{id}',
    'walk-get-logout.md': 'Walk of GET /logout',
    'vocabulary.md': 'Vocabulary',
    'decisions/README.md': 'Decisions',
  },
}
