/**
 * The media types of files, by the ends of their names.
 *
 * @module
 */

/** Registered types (IANA) of the files that APIs take most. */
const TYPES: Readonly<Record<string, string>> = {
  avif: "image/avif",
  bmp: "image/bmp",
  gif: "image/gif",
  heic: "image/heic",
  ico: "image/vnd.microsoft.icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml",
  tif: "image/tiff",
  tiff: "image/tiff",
  webp: "image/webp",
  aac: "audio/aac",
  flac: "audio/flac",
  m4a: "audio/mp4",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  opus: "audio/opus",
  wav: "audio/wav",
  mov: "video/quicktime",
  mp4: "video/mp4",
  mpeg: "video/mpeg",
  webm: "video/webm",
  otf: "font/otf",
  ttf: "font/ttf",
  woff: "font/woff",
  woff2: "font/woff2",
  css: "text/css",
  csv: "text/csv",
  htm: "text/html",
  html: "text/html",
  js: "text/javascript",
  md: "text/markdown",
  mjs: "text/javascript",
  txt: "text/plain",
  vcf: "text/vcard",
  ics: "text/calendar",
  json: "application/json",
  jsonl: "application/jsonl",
  ndjson: "application/x-ndjson",
  pdf: "application/pdf",
  rtf: "application/rtf",
  sql: "application/sql",
  wasm: "application/wasm",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  "7z": "application/x-7z-compressed",
  bz2: "application/x-bzip2",
  gz: "application/gzip",
  tar: "application/x-tar",
  zip: "application/zip",
  zst: "application/zstd",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  epub: "application/epub+zip",
  odp: "application/vnd.oasis.opendocument.presentation",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odt: "application/vnd.oasis.opendocument.text",
  ppt: "application/vnd.ms-powerpoint",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** The media type of a file with this name, if its extension is a known one. */
export function typeOfFile(name: string): string | undefined {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
}
