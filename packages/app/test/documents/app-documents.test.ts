import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { settingsHelp } from '../../src/cli/help.js'
import { settingForms } from '../../src/config/settings.js'
import { environmentName } from '../../src/config/values.js'
import { settingsDocument } from './configuration-document.js'

const documents = suite('documents of the app')

documents('help and document name every form of every setting', () => {
  for (const { name } of settingForms) {
    assert.ok(settingsHelp().includes(`--${name}`), name)
    assert.ok(settingsHelp().includes(environmentName(name)), name)
    assert.ok(settingsDocument().includes(`\`${environmentName(name)}\``), name)
  }
})

documents.run()
