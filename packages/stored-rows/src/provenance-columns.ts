import { type Provenance, recordedProvenance } from '@clientele/domain'

/** What a client was registered with, as columns of its row. */
export type ProvenanceColumns = {
  readonly token_fingerprint: string | null
  readonly statement_issuer: string | null
  readonly imported: number
}

const none: ProvenanceColumns = { token_fingerprint: null, statement_issuer: null, imported: 0 }

export const toProvenanceColumns = (provenance: Provenance | undefined): ProvenanceColumns =>
  provenance === undefined
    ? none
    : {
        token_fingerprint: provenance.token ?? null,
        statement_issuer: provenance.statement_issuer ?? null,
        imported: provenance.imported === true ? 1 : 0,
      }

/** Undefined where nothing is known. */
export const provenanceIn = ({
  token_fingerprint: token,
  statement_issuer,
  imported,
}: ProvenanceColumns): Provenance | undefined => {
  const recorded = recordedProvenance(token, statement_issuer)
  return imported === 1 ? { ...recorded, imported: true } : recorded
}
