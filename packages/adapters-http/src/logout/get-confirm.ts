import { singleValue } from '@clientele/domain/logout'
import type { Handler } from '../http/handler.js'
import { refusalStatuses } from '../http/statuses.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { chooseLanguage } from '../pages/choose-language.js'
import { pageResponse } from '../pages/page-response.js'

/** For a browser that opens this address by GET, for example when it restores tabs: there is no answer to process. */
export const getConfirm = ({ basePath, logout }: HttpSettings, ports: Pick<ServicePorts, 'renderPage'>): Handler => {
  const respond = pageResponse(ports.renderPage)
  return (request) => {
    const language = chooseLanguage(singleValue(request.query, 'ui_locales'), request.headers['accept-language'])
    const page = respond({ kind: 'gone', again: `${basePath}${logout.path}` }, language)
    return { ...page, status: refusalStatuses.method_not_allowed, headers: { ...page.headers, Allow: 'POST' } }
  }
}
