import type { DocumentSettings } from '@clientele/domain'

/**
 * The settings with a policy that accepts every document, so that a document is judged beside the question whether it is
 * accepted. Such a policy needs outbound fetches.
 */
export const asAccepted = (settings: DocumentSettings): DocumentSettings => ({
  ...settings,
  outboundFetches: true,
  policy: {
    ...settings.policy,
    metadata_documents: {
      ...settings.policy.metadata_documents,
      accept: 'any',
      denied_hosts: [],
      denied_url_prefixes: [],
    },
  },
})
