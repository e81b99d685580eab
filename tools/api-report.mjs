// node tools/api-report.mjs: writes the exports of each package to api/, by API Extractor.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from './build.mjs'
import { fetchPackage, folderOf } from './fetch.mjs'
import { packages, root } from './packages.mjs'

const [name, version] = ['@microsoft/api-extractor', '7.60.1']
fetchPackage(name, version)
const { CompilerState, Extractor, ExtractorConfig } = await import(
  pathToFileURL(join(folderOf(name, version), 'lib/index.js')).href
)

const reportFolder = join(root, 'api')

const entries = packages.flatMap(({ name, folder, manifest }) =>
  Object.entries(manifest.exports).map(([path, { types }]) => ({
    folder,
    file: join(folder, types),
    reportFileName: `${name}${path.slice(1).replaceAll('/', '-')}`,
  })),
)

const compilerOptions = {
  target: 'ES2022',
  // With the types of the web, because API Extractor cannot follow the references to them from Node's types.
  lib: ['ES2024', 'DOM', 'DOM.Iterable'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  typeRoots: [join(root, 'tools/node_modules/@types')],
  types: ['node'],
  strict: true,
  skipLibCheck: true,
}

const silent = { default: { logLevel: 'none' } }

const configOf = ({ folder, file, reportFileName }) =>
  ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: file,
      compiler: { overrideTsconfig: { compilerOptions, files: [file] } },
      apiReport: {
        enabled: true,
        reportFileName,
        reportFolder,
        reportTempFolder: join(root, 'node_modules/.cache/api'),
      },
      newlineKind: 'lf',
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { extractorMessageReporting: silent, tsdocMessageReporting: silent },
    },
    configObjectFullPath: join(folder, 'api-extractor.json'),
    packageJsonFullPath: join(folder, 'package.json'),
  })

build()
rmSync(reportFolder, { recursive: true, force: true })
mkdirSync(reportFolder, { recursive: true })
const configs = entries.map(configOf)
const [first, ...others] = configs
// One compiler for all packages.
const compilerState = CompilerState.create(first, {
  additionalEntryPoints: others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
})
for (const config of configs)
  Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    messageCallback: (message) => (message.logLevel = 'none'),
  })
