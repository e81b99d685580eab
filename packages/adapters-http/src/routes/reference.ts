// The reference of the operations: an OpenAPI document for programs, and pages for people, made of the same declarations.
import { type JsonObject, type JsonValue, isJsonObject, maxDepth } from '@clientele/domain/kernel'
import { pageResponse } from '../pages/page-response.js'
import type { DeveloperPage } from '../pages/page.js'
import type { ServicePorts } from '../ports.js'
import { type Described, describeRoutes, headerTexts, mediaTypes, openApi, statusTexts } from '../reference/openapi.js'
import { groups } from '../reference/operations.js'
import { type Schema, schemas } from '../reference/schemas.js'
import type { HttpSettings } from '../settings.js'
import { pagesBelow, publishing, render } from './published.js'
import { type PublishedHandler, type Route, baseOf, publication } from './route.js'

const isObject = isJsonObject(maxDepth)
const isJson = (value: unknown): value is JsonValue => isObject({ value })

const objectIn = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {})

const listIn = (value: JsonValue | undefined): ReadonlyArray<JsonValue> => {
  const list: unknown = value
  return Array.isArray(list) ? list.filter(isJson) : []
}

const plain: Readonly<Record<string, JsonValue>> = { integer: 0, number: 0, boolean: false, null: null }

/** A value of the schema, with the members that are always there. */
const sampleOf = (schema: Schema): JsonValue => {
  const { $ref, anyOf, allOf, type, properties, required, items } = schema
  if (typeof $ref === 'string') return sampleOf(objectIn({ ...schemas }[$ref.split('/').at(-1) ?? '']))
  if (anyOf !== undefined) return sampleOf(objectIn(listIn(anyOf)[0]))
  if (allOf !== undefined)
    return Object.fromEntries(listIn(allOf).flatMap((part) => Object.entries(objectIn(sampleOf(objectIn(part))))))
  if (schema['const'] !== undefined) return schema['const']
  if (schema['enum'] !== undefined) return listIn(schema['enum'])[0] ?? null
  if (type === 'array') return [sampleOf(objectIn(items))]
  if (type !== 'object') return typeof type === 'string' ? (plain[type] ?? '...') : '...'
  const names = listIn(required).filter((name) => typeof name === 'string')
  return Object.fromEntries(names.map((name) => [name, sampleOf(objectIn(objectIn(properties)[name]))]))
}

const shown = (value: unknown): string => JSON.stringify(value, null, 2)

/** A request as a command of curl. */
const curlOf = ({ method, server, path, needs, takes, operation: { body, token } }: Described): string =>
  [
    `curl -X ${method} "${server}${path}"`,
    ...(needs.length === 0 && token === undefined ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: ${mediaTypes[takes]}'`, `-d '${shown(body.example)}'`]),
  ].join(' \\\n  ')

const tokenTexts = {
  initial_access_token:
    'An initial access token permits it within its scope. Open registration needs none for the usual grants.',
  registration_access_token: 'The registration access token of the client permits it.',
} as const

const needsOf = ({ needs, isPublic, operation: { token } }: Described): ReadonlyArray<string> => {
  const where = isPublic ? [] : ['Only the management port answers it: $MANAGEMENT is the address of that.']
  if (needs.length === 0) return ['It needs no token.', ...where]
  return [
    ...where,
    ...(token === undefined ? [] : [tokenTexts[token]]),
    `The master token permits it, and an operator token with ${needs.join(' and ')}.`,
  ]
}

const operationPage = (issuer: string, described: Described): DeveloperPage => {
  const { name, operation, query, statuses } = described
  const { answers, headers = [] } = operation
  const isAnswer = (status: number): boolean => Object.hasOwn(answers, status)
  return {
    kind: 'operation',
    heading: name,
    summary: operation.summary,
    needs: needsOf(described),
    request: curlOf(described),
    parameters: [
      ...Object.entries(query).map(([each, text]) => ({ name: each, text })),
      ...headers.map((each) => ({ name: each, text: headerTexts[each] })),
    ],
    answers: statuses.filter(isAnswer).map((status) => {
      const answer = answers[status]
      const sample = typeof answer === 'object' ? shown(sampleOf(answer)) : undefined
      return { status, text: statusTexts[status] ?? '', sample }
    }),
    refusals: statuses
      .filter((status) => !isAnswer(status))
      .map((status) => ({ status, text: statusTexts[status] ?? '' })),
    document: `${issuer}/openapi.json`,
    all: `${issuer}/reference`,
  }
}

const referencePage = (issuer: string, all: ReadonlyArray<Described>): DeveloperPage => ({
  kind: 'reference',
  heading: 'Reference',
  document: `${issuer}/openapi.json`,
  groups: groups.flatMap((group) => {
    const found = all.filter(({ operation }) => operation.group === group)
    const operations = found.map(({ id, name, operation: { summary } }) => ({
      name,
      summary,
      uri: `${issuer}/reference/${id}`,
    }))
    return operations.length === 0 ? [] : [{ name: group, operations }]
  }),
})

/** Made when they are first asked for, of all routes: those of this port, and those of the management port. */
export const referenceRoutes = (
  settings: HttpSettings,
  { renderPage }: Pick<ServicePorts, 'renderPage'>,
  routes: () => ReadonlyArray<Route>,
  ofManagement: () => ReadonlyArray<Route>,
): ReadonlyArray<Route> => {
  const base = baseOf(settings)
  const { issuer } = settings.registration
  let described: ReadonlyArray<Described> | undefined
  const all = (): ReadonlyArray<Described> => (described ??= describeRoutes(settings, routes(), ofManagement()))
  let document: PublishedHandler | undefined
  const getDocument: PublishedHandler = (request) =>
    (document ??= publishing(render(openApi(settings, all())), settings.keyPolicy.maxAge))(request)
  const pageOf = (id: string) => {
    const found = all().find((each) => each.id === id)
    return found === undefined ? undefined : () => operationPage(issuer, found)
  }
  return [
    publication(`${base}/openapi.json`, getDocument, 'any'),
    ...pagesBelow(`${base}/reference`, pageResponse(renderPage), () => referencePage(issuer, all()), pageOf),
  ]
}
