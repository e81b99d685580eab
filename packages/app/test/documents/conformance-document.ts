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

The modules of \`${plan}\`:

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

The [conformance tool](https://github.com/modelcontextprotocol/conformance) of the protocol tests clients and MCP servers, and in its version line 0.2 authorization servers too: \`conformance authorization\` has two scenarios with three
checks. They are those of version ${mcpTool.version}; version 0.1.16 has none of them. Each is a test of \`packages/app/test/sign-in/mcp-conformance.test.ts\`, which makes the requests of the tool and asserts its result, on the service with the [profile](operate/settings.md#mcp) \`mcp\`, alone and with
the two settings that [accept documents](start/mcp.md#clients-with-a-metadata-document). The tool is no dependency: it does not start on Node 20, because it imports \`globSync\` of node:fs, which Node has from 22 on.

| scenario | check | service | client | result | because |
|---|---|---|---|---|---|
${mcpChecks.map(mcpRow).join('\n')}

The tool says WARNING and SKIPPED of what it does not count as a failure. On 2026-11-26 the tool itself, run with Node 22 against the service, had the same results. Its command is \`authorization --url ISSUER --client-id ID\` of ${mcpTool.name} ${mcpTool.version}; it sends the end-user back to \`http://127.0.0.1:3000/callback\`, which the client has to have registered.
`

const fapi2Row = ([module, outcome]: readonly [string, Outcome]): string => row([fapi2Name(module), outcome])

const fapi2Section = `## FAPI 2.0 Security Profile

The [profile](operate/settings.md#fapi2) \`fapi2\` makes the service an authorization server of the FAPI 2.0 Security Profile. These modules of \`${fapi2Plan}\` are tests of \`packages/app/test/conformance/fapi2\`, on the service with that profile, for the variants \`private_key_jwt\`, DPoP, OpenID Connect, unsigned requests and plain responses:

| module | result | because |
|---|---|---|
${Object.entries<Outcome>(fapi2Modules).map(fapi2Row).join('\n')}

What is out, and why:

- The variants in which clients authenticate by mutual TLS, or tokens are bound to certificates: TLS ends at the proxy in front, and the service reads no certificate of a client. Registration refuses such clients under this profile.
- The checks of TLS versions and ciphers, which \`fapi2-security-profile-final-ensure-holder-of-key-required\` makes as well: they are about the proxy in front.
- Message Signing (signed requests and JARM), grant management and the modules of single ecosystems: they belong to other plans.
- The modules of this plan that the table does not name, such as those with shifted clocks, long values and each fault of a DPoP proof, have no test under their name here.
`

/** docs/conformance.md */
export const conformanceDocument = (): string => `# Conformance and real clients

You see what is tested against the suites of others, and with which [clients in use](#real-clients). This page is for those who choose a provider. It is generated from \`packages/app/test/conformance/modules.ts\`, \`packages/app/test/conformance/fapi2/modules.ts\` and \`packages/app/test/conformance/mcp-checks.ts\`.

The OpenID Foundation certifies OpenID providers by its [conformance suite](https://gitlab.com/openid/conformance-suite). The service is not certified. Each module of eight of its plans for providers is a test of
this repository, under the name of the module: it asserts what the module asserts, on the service as a process with \`engine\` \`oidc-provider\` and \`login\` \`development\`, over HTTP, through the pages. A test reads the metadata,
and fails if they offer something that this page says is missing. Beside the plans, every member of the metadata is compared with what the service does, with the default settings, with a strict policy and with each [profile](operate/settings.md#profiles) (\`packages/app/test/engine/honest-metadata.test.ts\`). The tests do not replace a run of the suite: they check the same with other code.

| plan | passes | with a warning | skipped | does not pass |
|---|---|---|---|---|
${names.map(total).join('\n')}

*Skipped*: the suite does not run the module, because the metadata do not offer what it is about; its test asserts the refusal. *Does not pass*: the service deliberately does something else, and the test asserts what it does.
The plan for Dynamic OP runs with the [profile](operate/settings.md#conformance-dynamic) \`conformance-dynamic\`, because it demands what is off by default; that for 3rd Party-Initiated Login OP with \`consent-details\` \`all\`.

Two modules wait: \`oidcc-codereuse-30seconds\` for 30 seconds, and \`oidcc-refresh-token-rp-key-rotation\` for 60, because the engine fetches a key set of a client once a minute at most. The other modules of the plan run meanwhile.

${names.map(section).join('\n')}
${fapi2Section}
${mcpSection}`
