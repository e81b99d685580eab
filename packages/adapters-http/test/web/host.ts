// A host that has the web's standards and nothing else: what it registers, and what it answers.
import { type PageRenderer, createPublicHandler, settingsWithDefaults } from '../../src/fetch.js'
import { inMemoryPorts } from '@clientele/web'

const baseUrl = 'https://op.example'

// Because nunjucks compiles templates when it runs, which not every host allows.
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
  createPublicHandler(settingsWithDefaults(baseUrl, ports.hashToken(masterToken)), ports, { withOperators: true })
