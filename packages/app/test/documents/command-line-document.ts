import { leaves, programWriting } from '../support/silent-program.js'

const introduction = `## Commands

This part of the page is generated from what the commands declare (\`packages/app/src/commands.ts\`). \`clientele help\` lists the commands,
\`clientele help keys import\` (or \`clientele keys import --help\`) describes one, and \`clientele help settings\` every setting.

\`clientele\` without a command runs the service. A command goes through the running service if one answers at the socket of the data directory,
and works on the database itself if none does. So a command needs the settings of the service: the [settings](#settings) are options of
every command, before or after its name. The options of the command itself follow its name. The value of an option is the next
word, or follows an equals sign (\`--port 9000\`, \`--port=9000\`). Write a value that begins with two dashes after an equals sign.

A command writes its answer to the standard output, and everything else to the standard error output. With \`--json\` an answer is one JSON value.

### Exit status

| status | meaning |
|---|---|
| 0 | done |
| 1 | refused or failed: a setting is faulty, the service or the database refused, a policy refuses clients, a key was not confirmed |
| 2 | wrong usage: an unknown command or option, or one that lacks its value; nothing was read or changed |

### Completion

\`clientele completion SHELL\` prints a script that completes commands, their options, and settings:

| shell | for this session | for all |
|---|---|---|
| bash | \`source <(clientele completion bash)\` | \`clientele completion bash > ~/.local/share/bash-completion/completions/clientele\` |
| zsh | \`source <(clientele completion zsh)\` | \`clientele completion zsh > _clientele\`, in a directory of \`$fpath\` |
| fish | \`clientele completion fish \\| source\` | \`clientele completion fish > ~/.config/fish/completions/clientele.fish\` |

### Each command`

const helpOf = (path: ReadonlyArray<string>): string => {
  const written: Array<string> = []
  const program = programWriting((text) => written.push(text))
  path.reduce((parser, word) => parser.commands.find((each) => each.name() === word) ?? parser, program).outputHelp()
  return written.join('').trimEnd()
}

const section = (name: string): string => `#### clientele ${name}\n\n\`\`\`text\n${helpOf(name.split(' '))}\n\`\`\``

/** The second part of docs/operate/settings.md */
export const commandsPart = (): string =>
  `${[introduction, ...leaves(programWriting(() => undefined)).map(section)].join('\n\n')}\n`
