// A host with web standards only: a registration and its response.
import { type PageRenderer, createPublicHandler, settingsWithDefaults } from '../../src/fetch.js'
import { inMemoryPorts } from '@clientele/adapters-memory/host'

const baseUrl = 'https://op.example'

// nunjucks compiles templates at run time, which not every host allows.
const renderPage: PageRenderer = ({ kind }, language) => ({
  html: `<!doctype html><html lang="${language}"><title>${kind}</title>`,
  styleHash: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
})

const ports = inMemoryPorts({
  keySettings: {
    signingAlgorithms: ['ES256'],
    policy: { lifetime: 1000, publishAhead: 100, retention: 100, maxAge: 10 },
  },
  renderPage,
})

export const { reconcileKeys } = ports

export const serving = (masterToken: string): ((request: Request) => Promise<Response>) =>
  createPublicHandler(settingsWithDefaults(baseUrl, ports.service.hashToken(masterToken)), ports, {
    withOperators: true,
  })
