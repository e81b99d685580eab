import { configAsJson, configAsText } from '../config/show-config.js'
import { withSettings } from './with-settings.js'

/** Shows every setting and where it comes from, but no secret; starts and creates nothing. */
export const configPrint = withSettings(({ resolved }, { output }, { switches }) => {
  const text = switches.includes('json') ? JSON.stringify(configAsJson(resolved), null, 2) : configAsText(resolved)
  output.write(`${text}\n`)
  return 0
})
