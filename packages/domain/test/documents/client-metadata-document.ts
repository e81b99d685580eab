import { clientMetadataSchema } from '../../src/client/schema.js'
import { humanReadableMembers } from '../../src/client/members.js'
import { knownPrivateUseSchemes, refusedSchemes } from '../../src/client/uris.js'
import { adjustmentTexts } from '../../src/registration/adjustments.js'
import { code, table } from './markdown.js'
import { memberTables } from './member-tables.js'
import { providerLists } from './provider-lists.js'
import { ruleList } from './rule-list.js'
import { linkTargets, withLinks } from './standards.js'

const tagged = humanReadableMembers.map(code).join(', ')

const introduction = `# Client metadata, errors and rules

You get the answer to two questions: which metadata \`POST /clients\` and \`PUT /clients/{id}\` accept, and what a fault in an answer means. This page is for developers of applications. The following command judges a body, and names all of its faults:

\`\`\`sh
node packages/app/bin/clientele.js explain --metadata docs/examples/body.json --scope client-reg
\`\`\`

[client-metadata.schema.json](client-metadata.schema.json) describes the members and rules of this page
for programs, as far as JSON Schema can express them. Both are generated from \`packages/domain/src/client/members.ts\`
and \`packages/domain/src/kernel/rule-texts.ts\`.

- **Stored**: the service stores the members below, each exactly as sent. The answer contains them and the defaults.
- **Dropped**: the service drops members that are not listed; this is not a fault (RFC 7591 §2). A dry run (\`?dry_run=true\`) names them in \`dropped\`, and suggests in \`warnings\` which member may be meant.
- **Languages**: ${tagged}
  may also come with a language tag, as in \`client_name#fr\`; a client has at most 64 of these in all (RFC 7591 §2.2).
- **Limits**: a list has at most 32 entries (256 if they are redirection URIs), none of them twice. \`null\` and \`""\` are invalid values,
  except that the service leaves out an empty \`scope\`. With [\`lenient\`](../operate/settings.md#lenient), which open registration has by default, \`POST\`
  leaves out members that are \`null\` or \`""\`, empty \`grant_types\` and \`response_types\`, and repeated entries.
- **Import**: with an [initial access token](register.md#who-may-register-what) whose scope permits it, \`POST\` also accepts [\`preferred_client_id\`](#preferred-client-id) and
  [\`preferred_client_secret\`](#preferred-client-secret).
- **Update**: \`PUT\` replaces all metadata: members that are left out are removed or get their default (RFC 7592 §2.2).
- **Faults**: the service reports all faults at once. Each has its \`pointer\` (RFC 6901), the violated \`rule\`, a \`description\`,
  which is the name of the member and the text of the [rule](#rules), and \`documentation\`, the address of a page about the rule. \`error\` and \`error_description\` are those of the
  first fault, in the order of the members on this page.

\`\`\`json
{
  "pointer": "/contacts",
  "rule": "array",
  "description": "contacts must be a JSON array",
  "documentation": "https://op.example/rules/array"
}
\`\`\``

const members = `## Members

In the column *meaning*, *it* is the client. The meaning of an algorithm says what the algorithm does: *signs the ID token*.`

const rules = `## Rules

In an answer, the text of a rule follows the name of the member, or \`an entry of\` and the name of the list. The ids of rules are stable: programs may
rely on them. There are three kinds of rules: *safety* (the service never accepts what breaks such a rule), *capability* (the service cannot do it) and *looks* (the service cannot show it). The service refuses a registration
that breaks a rule of any kind. It refuses the [document](documents.md#what-a-document-loses) of a client only because of rules of safety, and leaves out what breaks the other rules.`

const provider = `## What the provider lists

\`/.well-known/openid-configuration\` and \`/.well-known/oauth-authorization-server\` list the values that registration
accepts. The table below has all values that the service knows. The metadata list algorithms by which a provider signs or decrypts with its own key pair only if
there is a key: those of [\`signing-algorithms\`](../operate/settings.md#signing-algorithms) and RSA-OAEP-256. A list of algorithms in
[\`provider-metadata\`](../operate/settings.md#provider-metadata) replaces these, without values that registration does not know. A
[registration policy](../operate/security.md#registration-policy) shortens the lists of algorithms and authentication methods, and \`HS384\` and \`HS512\` are listed only where
[\`client-secret-length\`](../operate/settings.md#client-secret-length) is long enough for them (RFC 7518 §3.2). Where they are not listed, a client can still register them with a \`preferred_client_secret\` that is long enough.
A client may send the same lists about itself (OpenID RP Metadata Choices §2), such as \`subject_types_supported\`. If it leaves out the member that names the value in use, such as
\`subject_type\`, the service takes the default of that member if the list contains it, and otherwise the first value of the list that the service supports.`

const schemes = `## Schemes that are never accepted

A redirection URI of a native client may have a private-use scheme: one with a period, such as \`com.example.app:/callback\`
(RFC 8252 §7.1), or ${knownPrivateUseSchemes.map(code).join(', ')}, unless the [registration policy](../operate/security.md#registration-policy)
names others. The service always refuses the schemes below ([\`uri-scheme\`](#uri-scheme)), in upper and lower case.
\`*\` stands for any ending. The service judges \`http\` and \`https\` themselves by the host of the URI.`

const adjustments = `## What registration adjusts

A dry run and \`clientele explain\` say in \`added\` what registration sets, in \`dropped\` what it leaves out, and in \`adjustments\` why, each time with a
\`pointer\`, a \`rule\` and a \`description\` (RFC 7591 §3.2.1). A client that sends no \`application_type\` counts as an installed application if a native client may have all of its redirection URIs (RFC 8252 §7), and at
least one of them has a private-use scheme, or http on a loopback host. A client with the implicit grant counts as a web client all the same.
If a client sends the \`application_type\` \`web\` and a private-use scheme, the service replaces \`web\` only if [\`replace_contradicted_application_type\`](../operate/security.md#registration-policy) of the policy says so; otherwise it reports a fault.`

const adjustmentsTable = (): string =>
  table(
    ['rule', 'meaning'],
    Object.entries(adjustmentTexts).map(([rule, [member, text]]) => [
      code(rule),
      `${member === '' ? 'a member' : code(member)} ${text}`,
    ]),
  )

const refusedSchemesTable = (): string =>
  table(
    ['because it', 'schemes'],
    refusedSchemes.map(({ reason, schemes: names, prefixes }) => [
      reason,
      [...names, ...prefixes.map((prefix) => `${prefix}*`)].map(code).join(' '),
    ]),
  )

const body = (): string =>
  [
    withLinks(introduction),
    members,
    memberTables(),
    rules,
    ruleList(),
    withLinks(adjustments),
    adjustmentsTable(),
    withLinks(schemes),
    refusedSchemesTable(),
    withLinks(provider),
    providerLists(),
  ].join('\n\n')

/** docs/use/client-metadata.md */
export const clientMetadataDocument = (): string => {
  const text = body()
  return `${text}\n\n${linkTargets(text)}\n`
}

/** docs/use/client-metadata.schema.json */
export const clientMetadataSchemaDocument = (): string => `${JSON.stringify(clientMetadataSchema, undefined, 2)}\n`
