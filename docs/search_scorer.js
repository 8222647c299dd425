// For Sphinx: a title with the words as they were typed, such as gh-pages, comes before the pages
// that contain each word. All other numbers are those of Sphinx.
var Scorer = {
  score: ([, , , , score, , kind]) => (kind === "title" ? 10 * score : score),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
