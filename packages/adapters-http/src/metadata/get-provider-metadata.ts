import { describeProvider } from '@clientele/domain'
import * as T from 'fp-ts/lib/Task.js'
import type { Handler } from '../http/handler.js'
import { jsonResponse } from '../http/response.js'
import type { HttpSettings } from '../settings.js'

/** OpenID Discovery §4, RFC 8414 §3: what never changes is made once. */
export const getProviderMetadata = ({ registration }: HttpSettings): Handler => {
  const metadata = jsonResponse(200, describeProvider(registration))
  return () => T.of(metadata)
}
