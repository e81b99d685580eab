import { Ajv2020 } from 'ajv/dist/2020.js'
import { clientMetadataSchema } from '../../src/client/client-metadata-schema.js'

const take = new Ajv2020({ strictTypes: false, validateFormats: false }).compile(clientMetadataSchema)

/**
 * Whether the schema takes the body. Because some runtimes make no code of strings, tools/runtimes/bundle.mjs puts what Ajv
 * makes of the schema beforehand in place of this.
 */
export const schemaTakes = (body: unknown): boolean => take(body)
