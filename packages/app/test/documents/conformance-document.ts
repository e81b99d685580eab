import { fapi2Modules, fapi2Name, fapi2Plan } from '../conformance/fapi2/modules.js'
import { type McpCheck, type McpClient, type McpSubject, mcpChecks, mcpTool } from '../conformance/mcp-checks.js'
import { type Lack, type Outcome, type PlanName, modulesOf, plans } from '../conformance/modules.js'

const results: Readonly<Record<Outcome['result'], string>> = {
  passes: 'passes',
  skipped: 'skipped',
  warns: 'passes with a warning',
  refused: '**does not pass**',
}

const lackText = ({ member, value }: Lack): string =>
  value === false ? `\`${member}\` is false` : `\`${member}\` lacks \`${value}\``

const because = (outcome: Outcome): string => {
  if (outcome.result === 'passes') return ''
  const reasons = [
    ...(outcome.lack === undefined ? [] : [lackText(outcome.lack)]),
    ...('reason' in outcome ? [outcome.reason] : []),
  ]
  return reasons.join('; ')
}

const row = ([name, outcome]: readonly [string, Outcome]): string =>
  `| \`${name}\` | ${results[outcome.result]} | ${because(outcome)} |`

const names = Object.keys(plans) as ReadonlyArray<PlanName>

const countOf = (plan: PlanName, result: Outcome['result']): number =>
  modulesOf(plan).filter(([, outcome]) => outcome.result === result).length

const total = (plan: PlanName): string => {
  const counts = (['passes', 'warns', 'skipped', 'refused'] as const).map((result) => countOf(plan, result))
  return `| [${plans[plan].profile}](#${plans[plan].profile.toLowerCase().replaceAll(' ', '-')}) | ${counts.join(' | ')} |`
}

const section = (plan: PlanName): string => `## ${plans[plan].profile}

These are the modules of \`${plan}\`:

| module | result | because |
|---|---|---|
${modulesOf(plan).map(row).join('\n')}
`

const subjects: Readonly<Record<McpSubject, string>> = {
  profile: 'the profile `mcp`',
  documents: 'documents accepted',
}

const clients: Readonly<Record<McpClient, string>> = {
  none: 'no client',
  public: 'registered, public',
  'with a secret': 'registered, with a secret',
  'with a document': 'a document',
}

const mcpRow = ({ scenario, check, subject, client, status, because = '' }: McpCheck): string => {
  const of = client === undefined ? '' : clients[client]
  return `| \`${scenario}\` | \`${check}\` | ${subjects[subject]} | ${of} | ${status} | ${because} |`
}

const mcpSection = `## Model Context Protocol

The [conformance tool](https://github.com/modelcontextprotocol/conformance) of the protocol tests clients and MCP servers, and from version 0.2 on authorization servers too. Its command \`conformance authorization\` has two scenarios with three
checks in version ${mcpTool.version}; version 0.1.16 has none of them. Each check is a test of \`packages/app/test/sign-in/mcp-conformance.test.ts\`. The test sends the requests of the tool and asserts its result, on the service with the [profile](operate/settings.md#mcp) \`mcp\`, alone and with
the two settings that [accept documents](start/mcp.md#clients-with-a-metadata-document). The repository does not install the tool, because it does not start on Node 20: it imports \`globSync\` of node:fs, which Node has from 22 on.

| scenario | check | service | client | result | because |
|---|---|---|---|---|---|
${mcpChecks.map(mcpRow).join('\n')}

The tool writes WARNING and SKIPPED for results that it does not count as failures. On 2026-11-26, the tool itself had the same results, with Node 22 against the service. Its command is \`authorization --url ISSUER --client-id ID\` of ${mcpTool.name} ${mcpTool.version}; it sends the end-user back to \`http://127.0.0.1:3000/callback\`, so that the client has to register this URI.
`

const fapi2Row = ([module, outcome]: readonly [string, Outcome]): string => row([fapi2Name(module), outcome])

const fapi2Section = `## FAPI 2.0 Security Profile

The [profile](operate/settings.md#fapi2) \`fapi2\` makes the service an authorization server of the FAPI 2.0 Security Profile. These modules of \`${fapi2Plan}\` are tests of \`packages/app/test/conformance/fapi2\`, on the service with that profile, for the variants \`private_key_jwt\`, DPoP, OpenID Connect, unsigned requests and plain responses:

| module | result | because |
|---|---|---|
${Object.entries<Outcome>(fapi2Modules).map(fapi2Row).join('\n')}

| not tested | why |
|---|---|
| the variants in which clients authenticate by mutual TLS, or tokens are bound to certificates | TLS ends at the proxy in front, and the service reads no certificate of a client. With this profile, registration refuses such clients |
| the checks of TLS versions and ciphers, which \`fapi2-security-profile-final-ensure-holder-of-key-required\` makes as well | they are about the proxy in front |
| Message Signing (signed requests and JARM), grant management and the modules of single ecosystems | they belong to other plans |
| the modules of this plan that the table above does not name, such as those with shifted clocks, long values and each fault of a DPoP proof | no test here has their name |
`

/** docs/conformance.md */
export const conformanceDocument = (): string => `# Conformance and real clients

You see what is tested against the suites of others, and with which [clients in use](#real-clients). This page is for those who choose a provider. It is generated from \`packages/app/test/conformance/modules.ts\`, \`packages/app/test/conformance/fapi2/modules.ts\` and \`packages/app/test/conformance/mcp-checks.ts\`.

The OpenID Foundation certifies OpenID providers by its [conformance suite](https://gitlab.com/openid/conformance-suite). The service is not certified. This repository has a test for each module of eight plans of the suite, under the name of the module. The test asserts what the module asserts, over HTTP and through the pages, on a running service with \`engine\` \`oidc-provider\` and \`login\` \`development\`. It reads the metadata,
and fails if they offer something that this page says is missing. The tests do not replace a run of the suite: they check the same with other code.

A further test compares every member of the metadata with what the service does, with the default settings, with a strict policy and with each [profile](operate/settings.md#profiles) (\`packages/app/test/engine/honest-metadata.test.ts\`).

| plan | passes | with a warning | skipped | does not pass |
|---|---|---|---|---|
${names.map(total).join('\n')}

*Skipped* means that the suite does not run the module, because the metadata do not offer what it is about; its test asserts the refusal. *Does not pass* means that the service deliberately does something else; the test asserts what it does.

The plan for Dynamic OP demands what is off by default, and runs with the [profile](operate/settings.md#conformance-dynamic) \`conformance-dynamic\`. The plan for 3rd Party-Initiated Login OP runs with \`consent-details\` \`all\`.

Two modules wait: \`oidcc-codereuse-30seconds\` for 30 seconds, and \`oidcc-refresh-token-rp-key-rotation\` for 60, because the engine fetches a key set of a client once a minute at most. Meanwhile, the other modules of the plan run.

${names.map(section).join('\n')}
${fapi2Section}
${mcpSection}`
