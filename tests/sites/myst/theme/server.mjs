// Serves the pages of a MyST site, which `myst build --html` then saves.
import { createServer } from 'node:http'

const content = `http://${process.env.HOST}:${process.env.CONTENT_CDN_PORT}`
const baseUrl = process.env.BASE_URL ?? ''

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function render(node) {
  const inner = (node.children ?? []).map(render).join('')
  if (node.type === 'text') return escape(node.value)
  if (node.type === 'paragraph') return `<p>${inner}</p>`
  if (node.type === 'heading') return `<h${node.depth}>${inner}</h${node.depth}>`
  if (node.type === 'inlineCode') return `<code>${escape(node.value)}</code>`
  if (node.type === 'code') return `<pre>${escape(node.value)}</pre>`
  return inner
}

function page({ frontmatter, mdast }) {
  const edit = frontmatter.edit_url
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="mystmd">
<title>${escape(frontmatter.title)}</title>
</head>
<body>
<nav><a href="${baseUrl}/">Home</a> <a href="${frontmatter.github}">GitHub</a>
${edit ? `<a href="${escape(edit)}" title="Edit This Page">Edit This Page</a>` : ''}</nav>
<main>
<h1>${escape(frontmatter.title)}</h1>
${render(mdast)}
</main>
</body>
</html>
`
}

async function answer(path) {
  const { projects } = await (await fetch(`${content}/config.json`)).json()
  const slugs = ['', ...projects[0].pages.map(({ slug }) => slug).filter(Boolean)]
  if (path === '/sitemap.xml') {
    const urls = slugs.map((slug) => `<url><loc>https://example.org${baseUrl}/${slug}</loc></url>`)
    const schema = 'http://www.sitemaps.org/schemas/sitemap/0.9'
    return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${schema}">\n${urls.join('\n')}\n</urlset>\n`
  }
  if (path === '/robots.txt') {
    return `User-agent: *\nAllow: /\n\nSitemap: https://example.org${baseUrl}/sitemap.xml\n`
  }
  const slug = path.replace(/^\/|\.json$/g, '') || projects[0].index
  const data = await fetch(`${content}/content/${slug}.json`)
  if (!data.ok) return ''
  return path.endsWith('.json') ? await data.text() : page(await data.json())
}

createServer(async (request, response) => response.end(await answer(request.url))).listen(
  Number(process.env.PORT),
  process.env.HOST,
  () => console.log(`Started at http://${process.env.HOST}:${process.env.PORT}`),
)
