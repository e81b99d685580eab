// One look at the document of a client for the operator, whose command is the consent to the request.
import { createSoftwareStatements } from '@clientele/adapters-jose'
import type { ClientIdUrl } from '@clientele/domain/client'
import { epochSeconds } from '@clientele/domain/kernel'
import { documentPolicy } from '@clientele/domain/policy'
import type { SeenDocument } from '@clientele/domain/provider'
import type * as T from 'fp-ts/lib/Task.js'
import type { Config } from '../config/settings.js'
import { baseUrlAt } from '../config/listening.js'
import { registrationSettings } from '../config/registration.js'
import { clientDocuments } from '../config/outbound.js'

/** What was seen, and why there is no document; the reason is for the operator only. */
export type Sight = {
  readonly seen: SeenDocument
  /** A file stands for what its URL would show. */
  readonly source: 'url' | 'file'
  readonly reason?: string
}

/** Sends one request, also while outbound fetches are off; the rules about addresses hold all the same. */
export const seeDocumentOnce =
  (config: Config, url: ClientIdUrl): T.Task<Sight> =>
  async () => {
    const { issuer, registrationEndpoint } = registrationSettings(config, baseUrlAt(config, config.port))
    const { readSoftwareStatement } = createSoftwareStatements(config['software-statement-issuers'])
    const reasons: Array<string> = []
    const { seeDocument } = clientDocuments(
      { ...config, 'outbound-fetches': true },
      {
        policy: () => documentPolicy(config['registration-policy']?.metadata_documents),
        now: () => epochSeconds(Date.now()),
        readStatement: (statement) => readSoftwareStatement(statement, [issuer, registrationEndpoint]),
        onFailure: (_, reason) => reasons.push(reason),
      },
    )
    const seen = await seeDocument(url)()
    const [reason] = reasons
    return { seen, source: 'url', ...(reason === undefined ? {} : { reason }) }
  }
