import { type Origin, type RecordedClient, corpus } from '../support/corpus.js'

const origins: Readonly<Record<Origin, string>> = {
  run: 'we ran the client, and recorded its request',
  captured: 'others recorded the request, and published it',
  source: 'we read it in the source of the client',
  documented: 'it is the example of a specification',
}

const links = (sources: ReadonlyArray<string>): string =>
  sources.map((address, index) => `[${sources.length === 1 ? 'source' : `source ${index + 1}`}](${address})`).join(', ')

const row = ({ file, client, version, how, source, profile, refused }: RecordedClient): string =>
  `| ${client} | ${version} | ${profile === null ? 'none' : `[${profile}](operate/settings.md#${profile})`} | ${how}: ${links(source)} | [body](../corpus/${file})${refused === undefined ? '' : ', adjusted'} |`

/** The libraries by the test in which they complete their flows, and how they run there. */
const flows: Readonly<Record<string, readonly [libraries: string, place: string]>> = {
  'single-page-application': ['oidc-client-ts', 'in Chromium'],
  'framework-applications': [
    'react-oidc-context, angular-auth-oidc-client',
    'in Chromium, as their first pages show them',
  ],
  'web-applications': ['@auth/core, passport-openidconnect, @fastify/oauth2 (simple-oauth2)', 'in web applications'],
  express: ['express-openid-connect', 'in a web application'],
  apache: ['mod_auth_openidc', 'in Apache'],
  'openid-clients': ['openid-client 5 and 6, oauth4webapi', 'in scripts'],
  'mcp-clients': ['the MCP SDKs for TypeScript 1 and 2, mcp-remote', 'as programs'],
}

const flowRow = ([test, [libraries, place]]: readonly [string, readonly [string, string]]): string =>
  `| ${libraries} | ${place} | \`packages/app/test/sign-in/${test}.test.ts\` |`

/** The second part of docs/conformance.md */
export const realClientsPart = (): string => `## Real clients

This part of the page is generated from the files in \`corpus\`.

Each file has the body that a client in use sends to the registration endpoint, with its version and its public source. A test
registers all of them, by the decision and at a running service, with the [profile](operate/settings.md#profiles) of each. Every member comes
back as it was sent, except those that a dry run names in \`added\` or \`dropped\`, with the [reason](use/client-metadata.md#what-registration-adjusts). Under the
default settings, without a profile, a client registers with a token. A body that contradicts a standard is refused: then the file names the fault in \`refused\` and the remedy in
\`adjusted\`, and the test checks both ([why](decisions/rules-of-registration.md)).

We got a body in one of these ways: ${Object.entries(origins)
  .map(([origin, text]) => `\`${origin}\`, ${text}`)
  .join('; ')}. Where a source shows a placeholder or a variable, the file says so in \`note\`.

| client | version | profile | origin | |
|---|---|---|---|---|
${corpus.map(row).join('\n')}

### Libraries that sign in

These libraries sign an end-user in at the running service, and read the claims; where they renew tokens, revoke them or log the end-user out, the tests do that as well.

| library | where it runs | test |
|---|---|---|
${Object.entries(flows).map(flowRow).join('\n')}
`
