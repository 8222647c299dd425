const editUrl = 'https://github.com/example/project/edit/main/';

module.exports = {
  title: 'Example project',
  url: 'https://example.org',
  baseUrl: '/docs/',
  trailingSlash: false,
  onBrokenLinks: 'throw',
  presets: [
    [
      'classic',
      {
        docs: {routeBasePath: '/manual', editUrl, showLastUpdateTime: true},
        blog: {editUrl, showLastUpdateTime: true, onInlineAuthors: 'ignore', onUntruncatedBlogPosts: 'ignore'},
        sitemap: {lastmod: 'date'},
      },
    ],
  ],
  plugins: [
    [
      '@docusaurus/plugin-client-redirects',
      {redirects: [{from: '/manual/old-cli', to: '/manual/reference/cli'}]},
    ],
  ],
  themeConfig: {
    navbar: {
      title: 'Example project',
      items: [{href: 'https://github.com/example/project', label: 'GitHub'}],
    },
  },
};
