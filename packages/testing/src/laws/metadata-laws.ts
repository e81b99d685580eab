import { metadataFaultLaws } from './metadata-faults.js'
import { metadataRequestLaws, metadataUpdateLaws } from './metadata-requests.js'
import type { MetadataLaw } from './metadata-rules.js'
import { metadataValueLaws } from './metadata-values.js'

/** All laws of client metadata, in registrations and in updates. */
export const metadataLaws: ReadonlyArray<MetadataLaw> = [
  ...metadataValueLaws,
  ...metadataFaultLaws,
  ...metadataRequestLaws,
  ...metadataUpdateLaws,
]
