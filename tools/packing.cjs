// With `npm run pack -- FOLDER --repository=URL`, pnpm packs by this file. npm refuses provenance where a package names another
// repository than the one that publishes it, or none.
const { basename } = require('node:path')

const repositoryOf = (directory) => ({
  type: 'git',
  url: `git+${process.env.CLIENTELE_REPOSITORY}.git`,
  directory: `packages/${basename(directory)}`,
})

module.exports = {
  hooks: {
    beforePacking: (manifest, directory) => ({ ...manifest, repository: repositoryOf(directory) }),
  },
}
