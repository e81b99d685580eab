import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { started } from './cli/run.js'

const secrets = suite('what a host is given')

secrets('a host that logs the service, whole, logs no secret', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const service = await started({ 'data-dir': directory })
  const shown = inspect(service, { depth: null, showHidden: true, maxArrayLength: null, maxStringLength: null })
  const [master, key] = ['master-token', 'encryption-key'].map((name) =>
    readFileSync(join(directory, name), 'utf8').trim(),
  )
  await service.stop()
  rmSync(directory, { recursive: true })
  assert.match(shown, 'encryption-key')
  for (const secret of [
    master,
    key,
    Buffer.from(key ?? '', 'base64url')
      .toString('hex')
      .replace(/..(?!$)/g, '$& '),
  ])
    assert.not.match(shown, secret ?? '')
  assert.not.match(shown, /store|sealing|digestKey/i)
})

secrets.run()
