import { textOfPage } from './page-text.js'

test.each([
  ['', ''],
  ['Down for repair', 'Down for repair'],
  [
    '<title>A bank</title><h1>Sign in</h1><p>Your   name <b>and</b>\n word<p>again<br>below',
    'A bank\nSign in\nYour name and\nword\nagain\nbelow',
  ],
  [
    '<style>p {}</style><script>if (1 < 2) "</p>"</script><p>seen<template><p>not<template>nor</template>nor</template>',
    'seen',
  ],
  ['a<!-- b --><!doctype html><?c d?>e &amp; f&nbsp;g &#x1F600; &lt;i>', 'ae & f g 😀 <i>'],
  ['<script/>seen<STYLE>not</Style></template> too', 'seen too'],
  ['<p title="<p>no">yes</p', 'yes'],
])('of %j a reader sees %j', (source, text) => {
  expect(textOfPage(source)).toBe(text)
})

const many = (count: number, part: (i: number) => string) => Array.from({ length: count }, (_, i) => part(i)).join('')

test.each([
  ['elements in each other', many(200_000, () => '<div>')],
  ['elements that multiply as they are parsed', many(90_000, (i) => `<p><b a=${i}>`)],
  ['a tag of many attributes', `<a ${many(150_000, (i) => `a${i} `)}>`],
  ['elements that are ended wrongly', `${many(150_000, () => '<i>')}${many(150_000, () => '</b>')}`],
  ['blanks', `${' '.repeat(500_000)}${'\n '.repeat(250_000)}x`],
  ['what nobody sees in each other', many(100_000, () => '<template>')],
])('the text of %s is there before long', (_what, source) => {
  const before = performance.now()
  textOfPage(source)
  // It takes some 50 ms, and the machine may have something else to do; what is made into a tree takes minutes.
  expect(performance.now() - before).toBeLessThan(10_000)
})
