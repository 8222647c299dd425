import { defineConfig } from 'vitepress'

const editLinks = process.env.EDIT_LINKS !== 'no'

export default defineConfig({
  title: 'Example project',
  base: '/docs/',
  cleanUrls: editLinks,
  lastUpdated: true,
  sitemap: { hostname: 'https://example.org/docs/' },
  srcExclude: ['**/parts/**'],
  rewrites: { 'packages/:name/docs/:page': 'packages/:name/:page' },
  locales: {
    root: { label: 'English', lang: 'en' },
    de: { label: 'Deutsch', lang: 'de' },
  },
  themeConfig: {
    socialLinks: [{ icon: 'github', link: 'https://github.com/example/project' }],
    ...(editLinks && {
      editLink: { pattern: 'https://github.com/example/project/edit/main/docs/:path' },
    }),
  },
})
