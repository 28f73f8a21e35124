import { EvidenceLog } from './evidence.js'
import { Masking } from './masking.js'

describe('masking', () => {
  test('makes equal secrets look equal, others different, and none readable', () => {
    const masking = new Masking()
    const one = masking.secret('code', 'the-code-one')
    expect(one).toMatch(/^code:‹[0-9a-f]{8}›$/)
    expect(masking.secret('code', 'the-code-one')).toBe(one)
    expect(masking.secret('code', 'the-code-two')).not.toBe(one)
  })

  test('uses a key of its own in each run', () => {
    expect(new Masking().secret('code', 'the-code-one')).not.toBe(new Masking().secret('code', 'the-code-one'))
  })

  test('keeps the name under which a secret was first seen', () => {
    const masking = new Masking()
    const token = masking.secret('access_token', 'abcdefghijkl')
    expect(masking.headers({ authorization: 'Bearer abcdefghijkl' })).toEqual({ authorization: `Bearer ${token}` })
  })

  test('finds secrets in forms, queries, fragments and JSON by their names', () => {
    const masking = new Masking()
    const code = masking.secret('code', 'c1')
    const token = masking.secret('access_token', 't1')
    expect(masking.body('application/x-www-form-urlencoded', 'grant_type=x&code=c1')).toBe(`grant_type=x&code=${code}`)
    expect(masking.url('https://a.example/cb?code=c1&state=s#access_token=t1')).toBe(
      `https://a.example/cb?code=${code}&state=s#access_token=${token}`,
    )
    const [secret, apiKey] = [masking.secret('client_secret', 's1'), masking.secret('client_api_key', 'k1')]
    expect(masking.body('application/json', '{"access_token":"t1","list":[{"client_secret":"s1"}]}')).toBe(
      `{"access_token":"${token}","list":[{"client_secret":"${secret}"}]}`,
    )
    expect(masking.body('application/json', '{"client_api_key":"k1"}')).toBe(`{"client_api_key":"${apiKey}"}`)
  })

  test('takes no plain word for a secret in running text, where it is one elsewhere', () => {
    const masking = new Masking()
    const password = masking.secret('password', 'something')
    expect(masking.text('something went wrong')).toBe('something went wrong')
    expect(masking.parameters('pin=something&password=something')).toBe(`pin=${password}&password=${password}`)
    masking.secret('password', 'something-1')
    expect(masking.text('something-1 went wrong')).toMatch(/^password:‹/)
  })

  test('masks every JWT in what is told of a result, also one that was cut before it was known', () => {
    const masking = new Masking()
    const jwt = 'eyJhbGciOiJQUzUxMiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'
    expect(masking.prose(`id_token is ${jwt}, and began "${jwt.slice(0, 30)}… [of 900 characters]"`)).toMatch(
      /^id_token is jwt:‹[0-9a-f]{8}›, and began "jwt:‹[0-9a-f]{8}›… \[of 900 characters\]"$/,
    )
    expect(masking.text(jwt)).toBe(jwt)
  })

  test('leaves a code of an error in JSON readable', () => {
    expect(new Masking().body('application/json', '{"code":"E17"}')).toBe('{"code":"E17"}')
  })

  test('masks credentials and cookies in headers, and leaves their names', () => {
    const masking = new Masking()
    const { cookie, ...headers } = masking.headers({
      cookie: 'a=one; b=two',
      'set-cookie': ['a=one; Path=/', 'b=two'],
      client_assertion: 'x.y.z',
      location: 'https://a.example/cb?code=c1',
      accept: 'text/html',
    })
    const [a, b] = [masking.secret('cookie', 'one'), masking.secret('cookie', 'two')]
    expect(cookie).toBe(`a=${a}; b=${b}`)
    expect(headers).toEqual({
      'set-cookie': [`a=${a}; Path=/`, `b=${b}`],
      client_assertion: masking.secret('client_assertion', 'x.y.z'),
      location: `https://a.example/cb?code=${masking.secret('code', 'c1')}`,
      accept: 'text/html',
    })
  })

  test('takes no scheme that nothing follows for a secret', () => {
    const masking = new Masking()
    for (const authorization of ['Bearer', 'bearer ', 'Basic']) {
      expect(masking.headers({ authorization })).toEqual({ authorization })
    }
    expect(masking.json({ token_type: 'Bearer' })).toEqual({ token_type: 'Bearer' })
    expect(masking.headers({ authorization: 'a-secret-alone' })).not.toEqual({ authorization: 'a-secret-alone' })
  })

  test('finds a known secret wherever it turns up, also at the end of a sentence', () => {
    const masking = new Masking()
    const mask = masking.secret('access_token', 'abc-DEF_123')
    expect(masking.text('the token abc-DEF_123 (abc-DEF_123). abc-DEF_123.')).toBe(
      `the token ${mask} (${mask}). ${mask}.`,
    )
    expect(masking.late({ page: '<p title="abc-DEF_123">' })).toEqual({ page: `<p title="${mask}">` })
  })

  test('leaves plain words readable that a short cookie or a part of a secret happens to be', () => {
    const masking = new Masking()
    masking.headers({ cookie: 'terms=accepted; back=https%3A%2F%2Fbank.example' })
    expect(masking.text('accepted by bank.example')).toBe('accepted by bank.example')
  })

  test('masks a person’s password in whatever field it is sent', () => {
    const masking = new Masking()
    const mask = masking.secret('password', 'pin 7')
    const parts = (pin: string) => `--b\r\nContent-Disposition: form-data; name="pin"\r\n\r\n${pin}\r\n--b--\r\n`
    expect(masking.body('multipart/form-data; boundary=b', parts('pin 7'))).toBe(parts(mask))
    expect(masking.body('application/x-www-form-urlencoded', 'user=jana&pin=pin+7')).toBe(`user=jana&pin=${mask}`)
  })

  test('reaches what was recorded before it was known to be secret', () => {
    const masking = new Masking()
    const recorded = { text: ['see interaction-1234'] }
    expect(masking.late(recorded)).toEqual(recorded)
    const mask = masking.secret('cookie', 'interaction-1234')
    expect(masking.late(recorded)).toEqual({ text: [`see ${mask}`] })
  })
})

describe('the record', () => {
  test('shows no known secret, wherever it is', () => {
    const log = new EvidenceLog(new Masking())
    const mask = log.masking.secret('access_token', 'abc-DEF_123')
    const headers = { 'content-type': 'text/html', 'x-echo': 'abc-DEF_123' }
    log
      .recorder()
      .begin('sent', { method: 'POST', url: 'https://a.example/abc-DEF_123', headers, body: '<p>abc-DEF_123' })
    expect(log.masked()).toMatchObject([
      { request: { url: `https://a.example/${mask}`, headers: { 'x-echo': mask }, body: `<p>${mask}` } },
    ])
  })

  test('leaves no part of a secret where it cuts', () => {
    const log = new EvidenceLog(new Masking())
    log.masking.secret('access_token', 'abc-DEF_123')
    const body = `${'x '.repeat(4094)}abc-DEF_123 and more`
    log.recorder().begin('sent', { method: 'POST', url: 'https://a.example/', headers: {}, body })
    expect(JSON.stringify(log.masked())).not.toContain('abc')
  })

  test('bounds bodies', () => {
    const recorder = new EvidenceLog(new Masking()).recorder()
    const body = 'x '.repeat(10_000)
    recorder.begin('sent', { method: 'POST', url: 'https://a.example/', headers: {}, body })
    const [exchange] = recorder.all()
    expect(exchange).toMatchObject({ request: { body: `${body.slice(0, 8192)}… [of 20000 characters]` } })
  })
})
