import { fault } from '../../codec/fault.js'
import type { MetadataRule } from './rule.js'

// CIBA §4: required for the grant
export const deliveryMode: MetadataRule = {
  members: ['grant_types', 'backchannel_token_delivery_mode'],
  faultsOf: ({ grant_types, backchannel_token_delivery_mode }) =>
    grant_types.includes('urn:openid:params:grant-type:ciba') && backchannel_token_delivery_mode === undefined
      ? [fault('ciba-delivery-mode')('backchannel_token_delivery_mode')]
      : [],
}

// CIBA §4: required if the mode is ping or push
export const notificationEndpoint: MetadataRule = {
  members: ['backchannel_token_delivery_mode', 'backchannel_client_notification_endpoint'],
  faultsOf: ({ backchannel_token_delivery_mode: mode, backchannel_client_notification_endpoint }) =>
    (mode === 'ping' || mode === 'push') && backchannel_client_notification_endpoint === undefined
      ? [fault('ciba-notification-endpoint')('backchannel_client_notification_endpoint')]
      : [],
}
