import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { settingsHelp } from '../../src/cli/help.js'
import { settingForms } from '../../src/config/settings.js'
import { environmentName } from '../../src/config/values.js'
import { settingsDocument } from './configuration-document.js'
import { recordedTemplates } from './recorded-templates.js'

const documents = suite('documents of the app')

documents('help and document name every form of every setting', () => {
  for (const { name } of settingForms) {
    assert.ok(settingsHelp().includes(`--${name}`), name)
    assert.ok(settingsHelp().includes(environmentName(name)), name)
    assert.ok(settingsDocument().includes(`\`${environmentName(name)}\``), name)
  }
})

documents('the templates of the console are the recorded clients', () => {
  const file = new URL('../../../adapters-http/src/console/recorded-clients.ts', import.meta.url)
  assert.is(readFileSync(file, 'utf8'), recordedTemplates())
})

documents.run()
