// clientele logouts …: the applications that are still to be told of a logout.
import { listNotices, retryNotices } from '../operating/operate-logouts.js'
import { printableDocument } from '../observing/printable.js'
import { noticeListText, retriedText } from './logouts-text.js'
import { show } from './show.js'
import { withSettings } from './with-settings.js'

/** Every notice with its client, its tries and what comes next; changes nothing. */
export const logoutsList = withSettings(({ config }, terminal, { switches }) =>
  show(terminal, listNotices(config), switches.includes('json') ? printableDocument : noticeListText),
)

/** Makes those that were given up due now, or the one that is named, and says how many. */
export const logoutsRetry = withSettings(({ config }, terminal, { operand, switches }) =>
  show(terminal, retryNotices(config, operand), switches.includes('json') ? printableDocument : retriedText),
)
