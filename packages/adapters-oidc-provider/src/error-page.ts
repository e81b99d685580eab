// RFC 6749 §4.1.2.1: an end-user whose request must not be redirected is told.
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import type { EnginePorts } from './ports.js'

export const renderError =
  ({ errorPage }: Pick<EnginePorts, 'errorPage'>) =>
  (request: KoaContextWithOIDC, out: ErrorOut): void => {
    const { headers, text } = errorPage({
      error: out.error,
      description: out.error_description,
      acceptLanguage: request.req.headers['accept-language'],
    })
    for (const [name, value] of Object.entries(headers)) request.set(name, value)
    request.body = text
  }
