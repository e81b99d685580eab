import { Ajv2020 } from 'ajv/dist/2020.js'
import { clientMetadataSchema } from '../../src/client/schema.js'

const take = new Ajv2020({ strictTypes: false, validateFormats: false }).compile(clientMetadataSchema)

/**
 * Whether the schema accepts the body. Some runtimes do not allow code from strings: tools/runtimes/bundle.mjs replaces
 * this by the function that Ajv has compiled before.
 */
export const schemaTakes = (body: unknown): boolean => take(body)
