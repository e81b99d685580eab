// A policy as a file, for the setting registration-policy.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discard, startService, type Service } from '../composed-service.js'

export const policyFile = (text: string): { readonly file: string; readonly folder: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'clientele-policy-'))
  const file = join(folder, 'policy.json')
  writeFileSync(file, text)
  return { file, folder }
}

/** Starts a service with the policy, runs the work, and removes everything. */
export const withPolicy = async (
  policy: object,
  settings: Readonly<Record<string, string>>,
  work: (service: Service) => Promise<void>,
): Promise<void> => {
  const { file, folder } = policyFile(JSON.stringify(policy))
  const service = await startService({ CLIENTELE_REGISTRATION_POLICY: file, ...settings })
  try {
    await work(service)
  } finally {
    await service.stop()
    discard(service.dataDir)
    discard(folder)
  }
}
