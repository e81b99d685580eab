// The commands of the command line itself: help, version, completion.
import { nearestName } from '@clientele/domain/kernel'
import type { Command as Parser } from 'commander'
import { settingForms, settingNames, settings } from '../config/settings.js'
import { type Setting, environmentName } from '../config/values.js'
import { version } from '../observing/version.js'
import type { Command } from './command.js'
import { completionOf, shells } from './completion.js'

const describe = (name: (typeof settingNames)[number]): string => {
  const setting: Setting<unknown> = settings[name]
  const forms = settingForms.filter((form) => form.setting === name)
  return [
    `  ${forms.map((form) => `--${form.name}`).join(', ')}`,
    `      ${forms.map((form) => environmentName(form.name)).join(', ')}`,
    `      ${setting.description}.`,
    `      ${setting.values}; default: ${setting.fallbackText ?? String(setting.fallback)}`,
  ].join('\n')
}

/** The text of clientele help settings. */
export const settingsHelp =
  (): string => `Settings (option, then environment, then --config FILE, then profile, then default)
  --config FILE
      A JSON file whose members are settings.
${settingNames.map(describe).join('\n')}
`

const commandAt = (program: Parser, path: ReadonlyArray<string>): Parser =>
  path.reduce((parser, word) => {
    const names = parser.commands.map((each) => each.name())
    const near = nearestName(word, names)
    const suggestion = near === undefined ? '' : `\n(Did you mean ${near}?)`
    return (
      parser.commands.find((each) => each.name() === word) ??
      parser.error(`error: unknown command '${word}'${suggestion}`)
    )
  }, program)

export const commandsOfCommandLine = (program: () => Parser): ReadonlyArray<Command> => [
  {
    name: 'help',
    summary: 'show the help of a command, or every setting',
    operand: { name: 'COMMAND', description: 'the name of a command, or settings', optional: true, several: true },
    example: 'clientele help keys import',
    run: ({ output }, { operand = '' }) => {
      if (operand === 'settings') output.write(settingsHelp())
      else commandAt(program(), operand === '' ? [] : operand.split(' ')).outputHelp()
      return 0
    },
  },
  {
    name: 'version',
    summary: 'show the version',
    example: 'clientele version',
    run: ({ output }) => {
      output.write(`${version}\n`)
      return 0
    },
  },
  {
    name: 'completion',
    summary: 'print a script by which a shell completes commands, options and settings',
    details:
      'bash: source <(clientele completion bash)\nzsh:  source <(clientele completion zsh)\nfish: clientele completion fish | source',
    operand: { name: 'SHELL', description: 'the shell that reads the script', choices: shells },
    example: 'clientele completion bash > ~/.local/share/bash-completion/completions/clientele',
    run: ({ output }, { operand }) => {
      output.write(completionOf(shells.find((shell) => shell === operand) ?? 'bash', program()))
      return 0
    },
  },
]
