import { charsetOf, formText, pageText } from './charset.js'

describe('how a page is encoded', () => {
  test.each([
    ['its content type says', 'text/html; Charset="Windows-1250"', '<meta charset="utf-8">', 'windows-1250'],
    ['it says itself', 'text/html', '<!doctype html><META CHARSET=iso-8859-2 /><title>', 'iso-8859-2'],
    [
      'it says in an older way',
      'text/html',
      `<meta http-equiv="Content-Type" content='text/html; charset=cp1250'>`,
      'windows-1250',
    ],
    ['it says as XML', 'text/html', '<?xml version="1.0" encoding="latin2"?><html>', 'iso-8859-2'],
    ['nothing says', 'text/html', '<p>charset=latin2</p>', 'utf-8'],
    ['it says what nobody knows', 'text/html; charset=x-bank', '<meta charset="nobody">', 'utf-8'],
    ['its ASCII says what it cannot be', 'text/html', '<meta charset="utf-16">', 'utf-8'],
    ['it says too late', 'text/html', `${' '.repeat(1024)}<meta charset="iso-8859-2">`, 'utf-8'],
  ])('is known where %s', (_how, contentType, page, charset) => {
    expect(charsetOf(contentType, page)).toBe(charset)
  })

  test.each([
    [
      'as it says',
      Buffer.from('<meta charset=windows-1250>p\xf8\xedkaz', 'latin1'),
      '<meta charset=windows-1250>příkaz',
    ],
    ['by its mark', Buffer.from('\ufeffpříkaz'), 'příkaz'],
    ['by its mark of UTF-16', Buffer.from('\ufeffpříkaz', 'utf16le'), 'příkaz'],
    ['as UTF-8 otherwise', Buffer.from('příkaz'), 'příkaz'],
  ])('has it read %s', (_how, bytes, text) => {
    expect(pageText(bytes, 'text/html')).toBe(text)
  })
})

describe('a form', () => {
  const fields = new URLSearchParams([
    ['který', 'příští & 1*2'],
    ['€', '\u03a9\ud83d\ude00'],
  ])

  test('is written in UTF-8 from a page of Unicode', () => {
    expect(formText(fields, 'utf-8')).toBe(fields.toString())
    expect(formText(fields, 'utf-16le')).toBe(fields.toString())
  })

  test('is written in the encoding of its page, with references to characters that it lacks', () => {
    expect(formText(fields, 'windows-1250')).toBe('kter%FD=p%F8%ED%9At%ED+%26+1*2&%80=%26%23937%3B%26%23128512%3B')
  })
})
