import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { settingsHelp } from '../../src/cli/settings-help.js'
import { settingForms } from '../../src/config/given-setting.js'
import { environmentName } from '../../src/config/values/setting.js'
import { commandLineDocument } from './command-line-document.js'
import { conformanceDocument } from './conformance-document.js'
import { configurationDocument } from './configuration-document.js'
import { realClientsDocument } from './real-clients-document.js'

const documents = suite('documents of the app')
const docs = new URL('../../../../docs/', import.meta.url)
const stale = 'is stale: npm run generate'

documents('docs/configuration.md is what the settings table says', () => {
  const file = readFileSync(new URL('configuration.md', docs), 'utf8')
  assert.ok(file === configurationDocument(), `docs/configuration.md ${stale}`)
})

documents('docs/command-line.md is what the commands declare', () => {
  const file = readFileSync(new URL('command-line.md', docs), 'utf8')
  assert.ok(file === commandLineDocument(), `docs/command-line.md ${stale}`)
})

documents('docs/real-clients.md is what the corpus says', () => {
  const file = readFileSync(new URL('real-clients.md', docs), 'utf8')
  assert.ok(file === realClientsDocument(), `docs/real-clients.md ${stale}`)
})

documents('docs/conformance.md is what the list of modules says', () => {
  const file = readFileSync(new URL('conformance.md', docs), 'utf8')
  assert.ok(file === conformanceDocument(), `docs/conformance.md ${stale}`)
})

documents('help and document name every form of every setting', () => {
  for (const { name } of settingForms) {
    assert.ok(settingsHelp().includes(`--${name}`), name)
    assert.ok(settingsHelp().includes(environmentName(name)), name)
    assert.ok(configurationDocument().includes(`\`${environmentName(name)}\``), name)
  }
})

documents.run()
