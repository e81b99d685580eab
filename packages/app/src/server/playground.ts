// The page on which users try out registrations.
import type { PublishedDocument } from '@clientele/adapters-http'
import { pageFile, policyIn, withSettings } from '@clientele/playground'
import * as E from 'fp-ts/lib/Either.js'
import { readFileSync } from 'node:fs'
import { isLoopbackUrl } from '../config/values.js'
import { errorReason } from '../config/files.js'
import type { Config } from '../config/settings.js'
import { baseUrlAt } from '../config/listening.js'
import { registrationSettings } from '../config/registration.js'

const documentOf = (config: Config, page: string): PublishedDocument => ({
  path: '/playground',
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    // A meta element cannot contain frame-ancestors.
    'Content-Security-Policy': `${policyIn(page)}; frame-ancestors 'none'`,
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  },
  text: withSettings(page, {
    ...registrationSettings(config, baseUrlAt(config)),
    registrationStatus: config['registration-status'],
  }),
})

/** Empty when the setting is off; also when the setting is not given and the page was not built. */
export const playgroundDocuments = (
  config: Config,
  file = pageFile,
): E.Either<string, ReadonlyArray<PublishedDocument>> => {
  if (!(config.playground ?? isLoopbackUrl(baseUrlAt(config)))) return E.right([])
  const read = E.tryCatch(
    () => readFileSync(file, 'utf8'),
    (error) => `playground: the page cannot be read (${errorReason(error)}): npm run build makes it`,
  )
  if (E.isLeft(read)) return config.playground === undefined ? E.right([]) : read
  return E.right([documentOf(config, read.right)])
}
