// Attempts against a service, counted by the status of their answers.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Service } from '../../src/compose.js'
import { started } from '../cli/run.js'
import { masterToken } from '../support/two-services.js'

export const statusesOf = (answers: ReadonlyArray<Response>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))]
      .sort()
      .map((status) => [status, answers.filter((each) => each.status === status).length]),
  )

/** One after the other. */
export const attempts = async (
  count: number,
  attempt: (index: number) => Promise<Response>,
): Promise<ReadonlyArray<Response>> => {
  const answers: Array<Response> = []
  for (let index = 0; index < count; index += 1) answers.push(await attempt(index))
  return answers
}

export const withService = async (
  settings: Readonly<Record<string, string>>,
  run: (service: Service, directory: string) => Promise<void>,
): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const service = await started({ 'data-dir': directory, 'master-token': masterToken, ...settings })
  try {
    await run(service, directory)
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true })
  }
}

/** A host of another /48 for each number. */
export const hostOf = (network: number): string => `2001:db8:${network.toString(16)}::${(network + 1).toString(16)}`
