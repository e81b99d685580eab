import type { OutboundOptions } from '@clientele/adapters-outbound'
import { defaultDelivery } from '@clientele/domain/logout'
import type { Config } from '../config/settings.js'
import { keySettings } from '../config/keys.js'
import type { Log } from '../observing/log.js'
import { type LogoutDispatcher, createLogoutDispatcher } from './logout-dispatcher.js'
import { portsOf } from '../data/operation-ports.js'
import type { OpenedData } from '../data/open-data.js'
import { logoutSender } from '../config/outbound.js'

/** The dispatcher of the settings; it opens no connection while outbound fetches are off. */
export const serviceDispatcher = (
  config: Config,
  data: OpenedData,
  { log, outbound }: { readonly log: Log; readonly outbound?: Partial<OutboundOptions> },
): LogoutDispatcher =>
  createLogoutDispatcher({
    settings: {
      delivery: defaultDelivery,
      keyPolicy: keySettings(config).policy,
      instance: data.generator.identifier(),
    },
    ports: portsOf(config, data),
    sender: logoutSender(config, outbound),
    log,
  })
