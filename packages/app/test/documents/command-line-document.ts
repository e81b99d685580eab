import { leaves, programWriting } from '../support/silent-program.js'

const introduction = `## Commands

This part of the page is generated from what the commands declare (\`packages/app/src/commands.ts\`). \`clientele help\` lists the commands,
\`clientele help keys import\` (or \`clientele keys import --help\`) describes one, and \`clientele help settings\` every setting.

\`clientele\` without a command runs the service. A command sends its request to the running service if one answers at the socket of the data directory,
and works on the database itself if none does.

**A command needs the settings of the service**: the same file by \`--config\`, the same environment, or the same flags. The [settings](#settings) are options of
every command, before or after the name of the command. Write the options of the command itself after its name. The value of an option is the next
word, or follows an equals sign (\`--port 9000\`, \`--port=9000\`). Write a value that begins with two dashes after an equals sign.

A command writes its answer to the standard output, and everything else to the standard error output. With \`--json\` an answer is one JSON value.

### Exit status

| status | meaning |
|---|---|
| 0 | done |
| 1 | the command was refused, failed or found a fault: for example, a setting is faulty, the service refused the request, or a policy refuses stored clients |
| 2 | the command is wrong: it has an unknown command or option, or an option without its value; the command read and changed nothing. \`clients apply --detailed-exitcode\` also ends with 2 if a dry run shows a change |

### Completion

\`clientele completion SHELL\` prints a script by which a shell completes commands, their options, and settings:

| shell | for this session | for all sessions |
|---|---|---|
| bash | \`source <(clientele completion bash)\` | \`clientele completion bash > ~/.local/share/bash-completion/completions/clientele\` |
| zsh | \`source <(clientele completion zsh)\` | \`clientele completion zsh > _clientele\`, where the file is in a directory of \`$fpath\` |
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
