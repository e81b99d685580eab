// A Worker that registers clients, in memory: each isolate has its own state. Bundled for workerd by
// packages/adapters-memory/test/hosts.test.ts.
import { createPublicHandler, settingsWithDefaults } from '@clientele/adapters-http/fetch'
import { inMemoryPorts } from '@clientele/adapters-memory/host'

// Without a logout path there are no pages: nunjucks makes functions of strings, which Workers do not allow.
const noPages = { renderPage: () => ({ html: '', styleHash: '' }) }

const handlerFor = ({ BASE_URL, MASTER_TOKEN }) => {
  const ports = inMemoryPorts(noPages)
  const settings = settingsWithDefaults(BASE_URL, ports.service.hashToken(MASTER_TOKEN))
  const withoutLogout = { ...settings, logout: { ...settings.logout, path: undefined } }
  return createPublicHandler(withoutLogout, ports, { withOperators: false })
}

let handler
export default {
  fetch: (request, env) => (handler ??= handlerFor(env))(request),
}
