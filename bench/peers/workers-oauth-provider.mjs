// @cloudflare/workers-oauth-provider: registrations and documents, with the parts of its runtime that they use.
import { register } from 'node:module'
import { answerOf, attempt, json } from './answer.mjs'

const { Request, Response } = globalThis

const moduleOf = (text) => `data:text/javascript,${encodeURIComponent(text)}`
const runtime = moduleOf('export class WorkerEntrypoint {}; export const env = {}')
const hooks = `export const resolve = (name, context, next) =>
  name === 'cloudflare:workers' ? { url: ${JSON.stringify(runtime)}, shortCircuit: true } : next(name, context)`

const namespace = () => {
  const values = new Map()
  return {
    get: async (key, { type } = {}) => (type === 'json' ? JSON.parse(values.get(key) ?? 'null') : values.get(key)),
    put: async (key, value) => void values.set(key, value),
    delete: async (key) => void values.delete(key),
    list: async () => ({ keys: [...values.keys()].map((name) => ({ name })), list_complete: true }),
  }
}

const handler = { fetch: async () => new Response('') }

/** Answers requests at the origin with documents, and all others as before. */
const answering = (origin, documents) => {
  const own = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const url = String(input?.url ?? input)
    if (!url.startsWith(origin)) return own(input, init)
    return new Response(JSON.stringify(documents.get(url)), { headers: json })
  }
  return () => {
    globalThis.fetch = own
  }
}

export const start = async () => {
  register(moduleOf(hooks))
  globalThis.Cloudflare = { compatibilityFlags: { global_fetch_strictly_public: true } }
  const { OAuthProvider, getOAuthApi } = await import('@cloudflare/workers-oauth-provider')
  const options = {
    apiRoute: '/api/',
    apiHandler: handler,
    defaultHandler: handler,
    authorizeEndpoint: '/authorize',
    tokenEndpoint: '/token',
    clientRegistrationEndpoint: '/register',
    clientIdMetadataDocumentEnabled: true,
    resourceMetadata: { resource: 'https://op.example/api' },
  }
  const env = { OAUTH_KV: namespace() }
  const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
  const provider = new OAuthProvider(options)
  const documents = new Map()
  const restore = answering('https://app.example/', documents)
  const { warn } = console
  console.warn = () => undefined
  const post = async (body) => {
    const request = { method: 'POST', headers: json, body: JSON.stringify(body) }
    return answerOf(await provider.fetch(new Request('https://op.example/register', request), env, context))
  }
  const document = async (body) => {
    const id = `https://app.example/${documents.size}.json`
    // This server requires a name in documents alone.
    documents.set(id, { client_id: id, client_name: 'Application', ...body })
    return attempt(
      () => getOAuthApi(options, env).lookupClient(id),
      ({ name }) => name === 'CimdFetchError',
    )
  }
  return {
    doors: [
      { name: 'POST', answer: post },
      { name: 'document', answer: document },
    ],
    stop: async () => {
      console.warn = warn
      restore()
    },
  }
}
