// The site of docs/, which node tools/site.mjs builds. It needs no network, while it is built and while it is read.
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beside, groups } from './pages.mjs'
import { slug } from './slug.mjs'

const docs = fileURLToPath(new URL('..', import.meta.url))

const sidebar = Object.entries({ ...groups, ...beside }).map(([text, pages]) => ({
  text,
  items: Object.entries(pages).map(([file, title]) => ({ text: title, link: `/${file.replace(/(?:README)?\.md$/, '')}` })),
}))

// A file outside of docs/ is no page of the site: its name stands in place of the link.
const isOutside = (href, page) =>
  !/^(?:[a-z]+:|#|\/)/.test(href) && relative(docs, join(docs, dirname(page), href.split('#')[0])).startsWith('..')

const namesFilesOutside = (md) => {
  md.core.ruler.push('files-outside', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isOpen = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') isOpen = isOutside(token.attrGet('href'), env.relativePath)
        if (!isOpen || !token.type.startsWith('link_')) continue
        if (token.type === 'link_open') {
          const path = relative(join(docs, '..'), join(docs, dirname(env.relativePath), token.attrGet('href')))
          token.attrs = [['title', `${path} in the repository`]]
        }
        token.tag = 'span'
      }
    }
  })
}

export default {
  title: 'Clientele',
  description: 'An OAuth 2.0 / OpenID Connect provider, whose client registry, key set and logout also work beside another provider',
  lang: 'en',
  rewrites: { 'README.md': 'index.md', 'decisions/README.md': 'decisions/index.md' },
  ignoreDeadLinks: false,
  metaChunk: true,
  markdown: { anchor: { slugify: slug }, config: namesFilesOutside },
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      // A page comes before a record of a decision.
      options: {
        miniSearch: {
          searchOptions: { boostDocument: (place) => (place.startsWith('/decisions/') ? 0.2 : 1) },
        },
      },
    },
  },
}
