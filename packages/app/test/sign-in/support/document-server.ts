// The documents of clients, over TLS on loopback.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Json } from './provider.js'

const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../../../adapters-outbound/test/support/${name}`, import.meta.url))

/** The settings of a service that may request the documents. */
export const reachDocuments = {
  CLIENTELE_OUTBOUND_FETCHES: 'true',
  CLIENTELE_OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8',
  NODE_EXTRA_CA_CERTS: fileOf('certificate.pem'),
}

/** The settings of a service that accepts documents: by default, any, each fresh for a second. */
export const acceptDocuments = (policy: Json = {}) => ({
  ...reachDocuments,
  CLIENTELE_REGISTRATION_POLICY_JSON: JSON.stringify({
    metadata_documents: { accept: 'any', least_freshness: 1, greatest_freshness: 1, ...policy },
  }),
})

/** Until documents that were seen are not fresh any more. */
export const untilStale = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_100))

export type DocumentServer = {
  /** The URL of a path. */
  readonly urlOf: (path: string) => string
  /** From now on the path has the document; a number is a status without one. */
  readonly publish: (path: string, document: Json | number) => string
  /** The paths of the requests. */
  readonly requested: ReadonlyArray<string>
  readonly stop: () => Promise<void>
}

export const startDocumentServer = async (): Promise<DocumentServer> => {
  const documents = new Map<string, Json | number>()
  const requested: Array<string> = []
  const options = { cert: readFileSync(fileOf('certificate.pem')), key: readFileSync(fileOf('key.pem')) }
  const server = createServer(options, ({ url = '/' }, response) => {
    requested.push(url)
    const document = documents.get(url) ?? 404
    if (typeof document === 'number') return void response.writeHead(document).end()
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(document))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve).unref())
  const { port } = server.address() as AddressInfo
  const urlOf = (path: string): string => `https://127.0.0.1:${port}${path}`
  return {
    urlOf,
    publish: (path, document) => {
      documents.set(path, typeof document === 'number' ? document : { client_id: urlOf(path), ...document })
      return urlOf(path)
    },
    requested,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
