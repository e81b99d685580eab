import { type DescribedPreset, upstreamPresets } from '@clientele/adapters-login'

const memberOf = ([member, value]: readonly [string, unknown]): string =>
  `| \`${member}\` | \`${typeof value === 'string' ? value : JSON.stringify(value)}\` |`

const section = ([preset, { name, members, needs, references, registration, notes }]: readonly [
  string,
  DescribedPreset,
]): string => {
  const needed = Object.entries(needs).map(([member, { rule }]) => `- \`${member}\` ${rule}.`)
  return [
    `## ${name}`,
    `\`"preset": "${preset}"\`. ${registration}`,
    needed.length === 0
      ? 'It needs `client_id` and `client_secret_file` alone.'
      : `It needs, beside \`client_id\` and \`client_secret_file\`:\n\n${needed.join('\n')}`,
    'What to know:',
    notes.map((note) => `- ${note}`).join('\n'),
    ['| member | value of the preset |', '|---|---|', ...Object.entries(members).map(memberOf)].join('\n'),
    `The facts are those of ${references.map((address) => `<${address}>`).join(' and ')}.`,
  ].join('\n\n')
}

/** docs/login-presets.md */
export const loginPresetsDocument = (): string => `# Login presets

This page is generated from \`packages/adapters-login/src/presets.ts\`.

A member of [\`upstreams\`](use/sign-in.md#several-providers) that names a \`preset\` has its values; a member that you write yourself counts before them. \`clientele config check\` names what is missing. The redirect URI to enter at the provider is \`/login/callback/ID\` below your base URL, where ID is the name of the member.

${Object.entries(upstreamPresets).map(section).join('\n\n')}

## Apple

There is no preset for Apple. Its client_secret is a JWT that expires after at most six months, and it sends the name and the address of an end-user by a form of another site, which this service does not take.
`
