// clientele instances list: the instances that share a database.
import type { EncryptionKeyFingerprints } from '@clientele/domain/instances'
import { printable, printableDocument } from '../observing/printable.js'
import { type InstanceDescription, type InstanceList, listInstances } from '../operating/operate-instances.js'
import { isoTime } from '../operating/read-answer.js'
import { json, type Command } from './command.js'
import { show } from './show.js'
import { withSettings } from './with-settings.js'

const keysText = ({ seals_with, opens_with }: EncryptionKeyFingerprints): string =>
  `encryption-key: seals with ${printable(seals_with)}, opens ${opens_with.map(printable).join(', ')}`

const instanceText = ({ id, version, started_at, seen_at, differing_settings, ...keys }: InstanceDescription): string =>
  [
    printable(id),
    `  version ${printable(version)}, started at ${isoTime(started_at)}, last seen at ${isoTime(seen_at)}`,
    `  ${keysText(keys)}`,
    ...(differing_settings.length === 0
      ? []
      : [`  differs from another instance in ${differing_settings.map(printable).join(', ')}`]),
  ].join('\n')

const instanceListText = ({ own_keys, instances }: InstanceList): string =>
  [
    ...(instances.length === 0 ? ['No instance runs on this database'] : instances.map(instanceText)),
    `The settings of this command\n  ${keysText(own_keys)}`,
  ].join('\n')

export const instanceCommands: ReadonlyArray<Command> = [
  {
    name: 'instances list',
    summary: 'show the instances that run on a PostgreSQL database, and the settings in which they differ',
    details:
      'An instance that was killed is shown for up to 30 seconds. Encryption keys are shown by fingerprints, ' +
      'which do not reveal them.',
    options: [json],
    example: 'clientele instances list',
    run: withSettings(({ config }, terminal, { switches }) =>
      show(terminal, listInstances(config), switches.includes('json') ? printableDocument : instanceListText),
    ),
  },
]
