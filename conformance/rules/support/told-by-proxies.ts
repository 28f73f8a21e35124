/** Headers in which proxies tell a host that they were asked by, which whoever asks a bank is none of (RFC 7239 section 8.1). */
export const toldByProxies = (host: string): Record<string, string> => ({
  forwarded: `host=${host};proto=https`,
  'x-forwarded-host': host,
  'x-forwarded-server': host,
  'x-host': host,
})
