// A file, judged as if its URL showed it: so that authors check a document before they publish it.
import { createSoftwareStatements } from '@clientele/adapters-jose'
import { epochSeconds } from '@clientele/domain/kernel'
import { readStatement } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type { Config } from '../config/settings.js'
import type { Sight } from './see-document.js'
import { baseUrlAt } from '../config/listening.js'
import { registrationSettings } from '../config/registration.js'
import type { RegistrationBody } from '../data/read-registration-body.js'

/** As if it were served with status 200 and application/json, and nothing about caching. */
export const documentOfFile =
  (config: Config, read: RegistrationBody): T.Task<Sight> =>
  async () => {
    const settings = registrationSettings(config, baseUrlAt(config, config.port))
    const statements = createSoftwareStatements(config['software-statement-issuers'])
    const statement = await readStatement(settings, statements)(read)()
    const at = epochSeconds(Date.now())
    const body = E.isRight(read) ? read.right : undefined
    const seen = {
      kind: 'answered',
      at,
      status: 200,
      media_type: 'application/json',
      body,
      statement,
      cache: {},
    } as const
    return { seen, source: 'file', ...(E.isRight(read) ? {} : { reason: read.left.error_description }) }
  }
