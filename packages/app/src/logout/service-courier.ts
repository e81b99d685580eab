import type { OutboundOptions } from '@clientele/adapters-outbound'
import { usualDelivery } from '@clientele/domain'
import type { Config } from '../config/settings.js'
import { keySettings } from '../keys/key-settings.js'
import type { Log } from '../observing/log.js'
import type { LogoutCourier } from './logout-courier.js'
import { createLogoutCourier } from './logout-courier.js'
import type { OpenedData } from '../data/open-data.js'
import { logoutSender } from '../wiring/reach-out.js'

/** The courier of the settings; it makes no connection at all while outbound fetches are off. */
export const serviceCourier = (
  config: Config,
  data: OpenedData,
  { log, outbound }: { readonly log: Log; readonly outbound?: Partial<OutboundOptions> },
): LogoutCourier =>
  createLogoutCourier({
    settings: { delivery: usualDelivery, keyPolicy: keySettings(config).policy },
    outbox: data.store.logoutOutbox,
    registry: data.store.registry,
    fresh: data.fresh,
    sender: logoutSender(config, outbound),
    log,
  })
