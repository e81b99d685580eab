import type { ForOperator, LogoutManagement } from '@clientele/domain'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'

/** The notices of logouts that are still owed to applications. */
export const getLogouts =
  (notices: ForOperator<LogoutManagement>): OperatorHandler =>
  (_request, operator) =>
    answer(notices(operator).listNotices, okResponse)
