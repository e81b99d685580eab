// Compares answers with the OpenAPI document of routes.
import { isMemberName } from '@clientele/domain/client'
import { isPlainObject } from '@clientele/domain/kernel'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type DeclaredRoute, describeRoutes, openApi } from '../../src/reference/openapi.js'
import type { Schema } from '../../src/reference/schemas.js'
import type { HttpSettings } from '../../src/settings.js'

/** The schema with no more members than it names: the document lets answers grow, and a test sees what it leaves out. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!isPlainObject(schema)) return schema
  // The parts of a whole may have each other's members.
  if (Array.isArray(schema['allOf'])) return { ...schema, unevaluatedProperties: false }
  const inner = Object.entries(schema).map(([name, value]) => [name, isMemberName(name) ? value : closed(value)])
  const isOpen = !isPlainObject(schema['properties']) || Object.hasOwn(schema, 'additionalProperties')
  return { ...Object.fromEntries(inner), ...(isOpen ? {} : { additionalProperties: false }) }
}

type Checked = { readonly path: RegExp; readonly method: string; readonly responses: Readonly<Record<string, unknown>> }

const ajv = new Ajv2020({ strict: false, validateFormats: false })

const inside = (value: unknown, ...names: ReadonlyArray<string>): unknown =>
  names.reduce((found: unknown, name) => (isPlainObject(found) ? found[name] : undefined), value)

const entriesOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  isPlainObject(value) ? Object.entries(value) : []

type Checks = {
  readonly operations: ReadonlyArray<Checked>
  readonly validatorOf: (schema: unknown) => ValidateFunction
}

const createChecks = (settings: HttpSettings, routes: ReadonlyArray<DeclaredRoute>): Checks => {
  const document = openApi(settings, describeRoutes(settings, routes))
  const named = entriesOf(inside(document['components'], 'schemas'))
  // RFC 7591 §2.2: names with a language tag, which generators cannot express.
  const tagged = { '#': { type: 'string' } }
  const schemas = Object.fromEntries(
    named.map(([name, schema]) => [
      name,
      name === 'ClientMetadata' && isPlainObject(schema) ? { ...schema, patternProperties: tagged } : closed(schema),
    ]),
  )
  const components = { schemas } as Schema
  const compiled = new Map<unknown, ValidateFunction>()
  const operations = entriesOf(document['paths']).flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, operation]) => ({
      path: new RegExp(`^(?:/op)?${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      method: method.toUpperCase(),
      responses: Object.fromEntries(entriesOf(inside(operation, 'responses'))),
    })),
  )
  return {
    // A path without a parameter comes before the patterns that match it as well.
    operations: operations.sort(
      (one, other) => Number(one.path.source.includes('[^/]')) - Number(other.path.source.includes('[^/]')),
    ),
    validatorOf: (schema) => {
      const known = compiled.get(schema) ?? ajv.compile({ ...(closed(schema) as Schema), components })
      compiled.set(schema, known)
      return known
    },
  }
}

type Answered = { readonly status: number; readonly type: string | undefined; readonly text: string }

/** Throws for an answer that the document does not describe; a request that no operation answers is not looked at. */
export const answerCheck = (settings: HttpSettings, routes: ReadonlyArray<DeclaredRoute>) => {
  const { operations, validatorOf } = createChecks(settings, routes)
  return (method: string, target: string, { status, type = '', text }: Answered): void => {
    const path = target.replace(/[?#].*$/s, '')
    const asked = method === 'HEAD' ? 'GET' : method
    const found = operations.find((each) => each.method === asked && each.path.test(path))
    // Where no route is at this port, the answer has no content.
    if (found === undefined || (status === 404 && text === '')) return
    const response = found.responses[status]
    const problem = (why: string): never => {
      const what = `the answer ${status} to ${method} ${path}`
      throw new Error(`the OpenAPI document does not describe ${what}: ${why} ${text.slice(0, 300)}`)
    }
    if (response === undefined) return problem('the status is not there.')
    // A browser gets a page in place of a refusal.
    if (method === 'HEAD' || text === '' || (type.startsWith('text/html') && status >= 400)) return
    const [, described] = entriesOf(inside(response, 'content')).find(([each]) => type.startsWith(each)) ?? []
    if (described === undefined) return problem(`the type ${type} is not there.`)
    if (!type.startsWith('application/json')) return
    const isValid = validatorOf(inside(described, 'schema'))
    if (!isValid(JSON.parse(text))) problem(ajv.errorsText(isValid.errors))
  }
}
