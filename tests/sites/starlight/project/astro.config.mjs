import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';

export default defineConfig({
  site: 'https://example.org',
  base: '/docs',
  redirects: { '/old-cli': '/docs/reference/cli/' },
  integrations: [
    starlight({
      title: 'Example project',
      defaultLocale: 'root',
      locales: { root: { label: 'English', lang: 'en' }, de: { label: 'Deutsch' } },
      editLink: { baseUrl: 'https://github.com/example/project/edit/main/' },
      social: [{ icon: 'github', label: 'GitHub', href: 'https://github.com/example/project' }],
      lastUpdated: true,
      pagefind: false,
    }),
  ],
});
