import { HtmlBasePlugin } from '@11ty/eleventy'

export default function (config) {
  config.addPlugin(HtmlBasePlugin)
  config.addCollection('posts', (collections) => collections.getFilteredByGlob('content/posts/*.md'))
  return {
    dir: { input: 'content', includes: '../_includes', output: '_site' },
    markdownTemplateEngine: 'njk',
    pathPrefix: '/docs/',
  }
}
