import type { ByRequest, NotificationManagement } from '@clientele/domain/operations'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'

/** The pending logout notifications. */
export const getLogouts =
  (notifications: ByRequest<'deliveries', NotificationManagement>): OperatorHandler<'deliveries'> =>
  (request, operator) =>
    answer(notifications(operator, request).listNotifications, okResponse)
