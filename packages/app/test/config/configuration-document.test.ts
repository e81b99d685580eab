import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationDocument } from '../../src/config/configuration-document.js'
import { help } from '../../src/config/help.js'
import { settingForms } from '../../src/config/given-setting.js'
import { environmentName } from '../../src/config/values/setting.js'

const document = suite('configuration document')

// src/config/write-configuration-document.ts writes it.
document('docs/configuration.md is what the settings table says', () => {
  const file = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
  assert.is(file, configurationDocument())
})

document('help and document name every form of every setting', () => {
  for (const { name } of settingForms) {
    assert.ok(help().includes(`--${name}`), name)
    assert.ok(configurationDocument().includes(`\`${environmentName(name)}\``), name)
  }
})

document.run()
