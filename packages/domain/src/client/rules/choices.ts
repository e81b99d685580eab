import { fault } from '../../codec/fault.js'
import { type NameWith, choiceLists, members } from '../members.js'
import type { MetadataRule } from './rule.js'

// OpenID RP Metadata Choices §2: the value in use is one of the supported values, and this service knows one of those
const choiceRule = (list: NameWith<'listOf'>): MetadataRule => {
  const member = members[list].listOf
  const known: ReadonlyArray<string> = members[member].type.values
  return {
    members: [member, list],
    faultsOf: (metadata) => {
      const supported = metadata[list]
      if (supported === undefined) return []
      if (!supported.some((value) => known.includes(value))) return [fault('no-known-choice')(list)]
      const used = metadata[member]
      return used === undefined || supported.includes(used) ? [] : [fault('value-not-chosen')(member)]
    },
  }
}

export const choices: ReadonlyArray<MetadataRule> = choiceLists.map(choiceRule)
