// clientele instances list: the instances that share a database.
import { printable, printableDocument } from '../observing/printable.js'
import { type InstanceDescription, type InstanceList, listInstances } from '../operating/operate-instances.js'
import { isoTime } from '../operating/read-answer.js'
import { json, type Command } from './command.js'
import { show } from './show.js'
import { withSettings } from './with-settings.js'

const instanceText = ({ id, version, started_at, seen_at, differing_settings }: InstanceDescription): string =>
  [
    printable(id),
    `  version ${printable(version)}, started at ${isoTime(started_at)}, last seen at ${isoTime(seen_at)}`,
    ...(differing_settings.length === 0
      ? []
      : [`  differs from another instance in ${differing_settings.map(printable).join(', ')}`]),
  ].join('\n')

const instanceListText = ({ instances }: InstanceList): string =>
  instances.length === 0 ? 'No instance runs on this database' : instances.map(instanceText).join('\n')

export const instanceCommands: ReadonlyArray<Command> = [
  {
    name: 'instances list',
    summary: 'show the instances that run on a PostgreSQL database, and the settings in which they differ',
    details: 'An instance that was killed is shown for up to 30 seconds.',
    options: [json],
    example: 'clientele instances list',
    run: withSettings(({ config }, terminal, { switches }) =>
      show(terminal, listInstances(config), switches.includes('json') ? printableDocument : instanceListText),
    ),
  },
]
