import type { ClientInformation, ClientPreview } from '@clientele/domain'
import type { HttpResponse } from '../http/response.js'
import { jsonResponse } from '../http/response.js'

export const encodeClientInformation = (client: ClientInformation): HttpResponse => jsonResponse(200, client)

export const encodePreview = (preview: ClientPreview): HttpResponse => jsonResponse(200, preview)
