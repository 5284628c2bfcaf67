// Expected results are written by hand, and a slip in one of them would be scored as a fault of the product.
// This holds every expected.json against its format and against the page that it stands beside. It knows nothing
// of how a page ought to be read: it says that a string stands on the page, never whether it deserves to.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HALVES = ["judged", "tuning"];

const KINDS = [
  "article", "error", "form", "table", "code", "diff", "search", "mail", "sheet", "list", "app", "empty", "docs",
  "shop", "forum",
];

const QUESTIONS = [
  "explain_error", "fix_form", "summarise_table", "explain_code", "review_diff", "summarise_article", "translate",
  "explain_selection", "compare_results", "reply_mail", "analyse_sheet", "none",
];

const FIELDS = [
  "text", "email", "tel", "url", "number", "date", "time", "search", "select", "checkbox", "radio", "textarea", "range",
  "file", "color",
];

const KEYS = [
  "title", "language", "interface", "kind", "kind_also", "keep", "drop", "tables", "fields", "secret", "buttons", "selection",
  "made_by_script", "question",
];

/** Pages of these kinds may have next to nothing to read. */
const SPARSE = ["empty", "app", "error", "form"];

const KEEP_MAX = 40;
const KEEP_MIN = 8;
const DROP_MAX = 20;
const DROP_MIN = 4;

/** Smaller or larger, it is no page that somebody saved. */
const PAGE_BYTES_MIN = 2_000;
const PAGE_BYTES_MAX = 80_000;

const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
const RAW = new Set(["script", "style", "textarea", "title"]);

/** Elements whose content never reads as part of the page. */
const SILENT = new Set(["script", "style", "title", "noscript", "head"]);

const INLINE = new Set(
  ("a abbr b bdi bdo cite code data del dfn em font i img ins kbd label mark q rp rt ruby s samp small span strong sub " +
    "sup time tt u var wbr mi mn mo mrow mspace msqrt msup msub mfrac msubsup munderover mtext math semantics annotation").split(" "),
);

/** What closes an element whose end tag may be left out. */
const CLOSED_BY = {
  li: ["li"], dt: ["dt", "dd"], dd: ["dt", "dd"], td: ["td", "th"], th: ["td", "th"], tr: ["td", "th", "tr"],
  option: ["option"], tbody: ["thead", "tr", "td", "th"], tfoot: ["tbody", "tr", "td", "th"],
};

const ENTITIES = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", copy: "©", reg: "®", trade: "™", hellip: "…",
  mdash: "—", ndash: "–", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", laquo: "«", raquo: "»", middot: "·",
  bull: "•", times: "×", rarr: "→", larr: "←", uarr: "↑", darr: "↓", euro: "€", pound: "£", yen: "¥", deg: "°",
  sect: "§", para: "¶", check: "✓", star: "☆", shy: "", zwnj: "", thinsp: " ", ensp: " ", emsp: " ", minus: "−",
  auml: "ä", ouml: "ö", uuml: "ü", Auml: "Ä", Ouml: "Ö", Uuml: "Ü", szlig: "ß", eacute: "é", egrave: "è",
  agrave: "à", ccedil: "ç", ecirc: "ê", ntilde: "ñ", iexcl: "¡", iquest: "¿", lsaquo: "‹", rsaquo: "›", ge: "≥", le: "≤",
};

main();

function main() {
  const here = dirname(fileURLToPath(import.meta.url));
  const counts = {};
  let findings = 0;
  const [, , named] = process.argv;
  if (named !== undefined && !HALVES.includes(named)) {
    console.log(`no such half: ${named}`);
    process.exitCode = 2;
    return;
  }
  // Whoever writes rules of reading names a half, so as not to see the other one.
  const halves = named === undefined ? HALVES : [named];
  for (const half of halves.filter((half) => existsSync(join(here, half)))) {
    for (const slug of readdirSync(join(here, half)).sort()) {
      const found = checkPage(join(here, half, slug), counts);
      found.forEach((finding) => console.log(`${half}/${slug}: ${finding}`));
      findings += found.length;
    }
  }
  for (const [name, count] of Object.entries(counts)) console.log(`${name}: ${listed(count)}`);
  console.log(`${findings} findings`);
  process.exitCode = findings === 0 ? 0 : 1;
}

function listed(count) {
  const sorted = Object.entries(count).sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  return sorted.map(([name, number]) => `${name} ${number}`).join(", ");
}

function checkPage(folder, counts) {
  const slug = folder.split("/").pop();
  if (!/^\d{3}-[a-z0-9-]+$/.test(slug)) return ["the folder's name is not NNN-slug"];
  const source = readFileSync(join(folder, "page.html"), "utf8");
  let expected;
  try {
    expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
  } catch (error) {
    return [`expected.json: ${error.message}`];
  }
  const malformed = formatFindings(expected);
  if (malformed.length > 0) return malformed;
  count(counts, "kind", expected.kind);
  count(counts, "language", expected.language);
  count(counts, "interface", expected.interface);
  count(counts, "question", expected.question.kind);
  count(counts, "selection", expected.selection ? "yes" : "no");
  const page = read(source);
  return [
    ...sourceFindings(source),
    ...wantedFindings(expected, page),
    ...unwantedFindings(expected, page),
    ...tableFindings(expected, page),
    ...fieldFindings(expected, page),
  ];
}

function count(counts, name, value) {
  counts[name] ??= {};
  counts[name][value] = (counts[name][value] ?? 0) + 1;
}

// The format.

function formatFindings(expected) {
  const findings = [];
  const demand = (holds, finding) => holds || findings.push(finding);
  for (const key of Object.keys(expected)) demand(KEYS.includes(key), `unknown key ${key}`);
  demand(isText(expected.title), "no title");
  demand(/^[a-z]{2}$/.test(expected.language), "language is no code of two letters");
  demand(["zh", "en"].includes(expected.interface), "interface is neither zh nor en");
  for (const kind of [expected.kind, ...(expected.kind_also ?? [])]) demand(KINDS.includes(kind), `unknown kind ${kind}`);
  for (const key of ["keep", "drop", "secret", "buttons", ...(expected.made_by_script ? ["made_by_script"] : [])]) {
    demand(Array.isArray(expected[key]) && expected[key].every(isText), `${key} is no list of collapsed texts`);
    if (Array.isArray(expected[key])) demand(new Set(expected[key]).size === expected[key].length, `${key} says something twice`);
  }
  if (findings.length > 0) return findings;
  const least = SPARSE.includes(expected.kind) ? 0 : KEEP_MIN;
  demand(within(expected.keep.length, least, KEEP_MAX), `${expected.keep.length} strings to keep`);
  demand(within(expected.drop.length, DROP_MIN, DROP_MAX), `${expected.drop.length} strings to drop`);
  demand(Array.isArray(expected.tables) && expected.tables.every(isTable), "a table is malformed or ragged");
  demand(Array.isArray(expected.fields) && expected.fields.every(isField), "a field is malformed");
  if (expected.selection) {
    demand(isText(expected.selection.text) && /^#[\w-]+$/.test(expected.selection.at), "selection is not {text, at: #id}");
  }
  return [...findings, ...questionFindings(expected.question)];
}

function questionFindings(question) {
  if (!question || !QUESTIONS.includes(question.kind)) return ["no known kind of question"];
  const also = question.also ?? [];
  const findings = also.filter((kind) => !QUESTIONS.includes(kind)).map((kind) => `unknown question ${kind}`);
  if (also.includes(question.kind)) findings.push("also repeats the kind of question");
  for (const language of ["zh", "en"]) {
    const gists = question[language];
    if (!Array.isArray(gists) || !gists.every(isText)) findings.push(`question.${language} is no list of texts`);
    else if ((gists.length === 0) !== (question.kind === "none")) findings.push(`question.${language} does not fit its kind`);
  }
  return findings;
}

function isText(value) {
  return typeof value === "string" && value !== "" && value === collapse(value);
}

function isCell(value) {
  return value === "" || isText(value);
}

function isTable(table) {
  const lists = table && Array.isArray(table.header) && Array.isArray(table.rows) && table.rows.length > 0;
  if (!lists || !table.rows.every(Array.isArray) || ![table.header, ...table.rows].flat().every(isCell)) return false;
  const width = table.header.length || table.rows[0].length;
  return table.rows.every((row) => row.length === width);
}

function isField(field) {
  const known = Object.keys(field).every((key) => ["label", "value", "kind", "problem"].includes(key));
  const problem = field.problem === undefined || isText(field.problem);
  return known && isText(field.label) && isCell(field.value) && FIELDS.includes(field.kind) && problem;
}

function within(number, least, most) {
  return number >= least && number <= most;
}

// The strings against the page.

function sourceFindings(source) {
  const findings = [];
  const bytes = Buffer.byteLength(source);
  if (!within(bytes, PAGE_BYTES_MIN, PAGE_BYTES_MAX)) findings.push(`the page has ${bytes} bytes`);
  if (!/^<!doctype html|^<html/i.test(source.replace(/^\s*(<!--[\s\S]*?-->\s*)*/, ""))) findings.push("no document");
  const loads = /<(?!a\b|form\b|meta\b|link rel="(?:canonical|alternate)")[a-z][^>]*?\s(?:src|href|srcset|poster)=["'](?:https?:)?\/\//i;
  const load = source.match(loads) ?? source.match(/url\(["']?(?:https?:)?\/\/|@import/);
  if (load) findings.push(`something is loaded from elsewhere: ${load[0].slice(0, 80)}`);
  return findings;
}

function wantedFindings(expected, page) {
  const findings = [];
  const made = new Set(expected.made_by_script ?? []);
  for (const text of made) if (!page.everything.includes(text)) findings.push(`made by no script: ${text}`);
  const wanted = expected.keep.filter((text) => !made.has(text));
  let from = 0;
  for (const text of wanted) {
    const at = page.text.indexOf(text, from);
    if (at >= 0) from = at + 1;
    else if (page.text.includes(text)) findings.push(`out of order: ${text}`);
    else findings.push(`not on the page: ${text}`);
  }
  const others = [expected.title, ...expected.buttons].filter((text) => !made.has(text));
  for (const text of others) if (!page.named.includes(text)) findings.push(`title or button not on the page: ${text}`);
  if (expected.selection) findings.push(...selectionFindings(expected.selection, page));
  return findings;
}

function selectionFindings(selection, page) {
  const element = find(page.tree, (node) => node.attributes?.id === selection.at.slice(1));
  if (!element) return [`no element is ${selection.at}`];
  const inside = collapse(blocks(element).replaceAll("\n", " "));
  return inside.includes(selection.text) ? [] : [`${selection.at} has no text "${selection.text}"`];
}

function unwantedFindings(expected, page) {
  const findings = [];
  const cells = expected.tables.flatMap((table) => [table.header, ...table.rows].flat());
  const fields = expected.fields.flatMap((field) => [field.label, field.value, field.problem ?? ""]);
  const wanted = [expected.title, ...expected.keep, ...expected.buttons, ...cells, ...fields, expected.selection?.text ?? ""];
  for (const text of expected.drop) {
    if (!page.everything.includes(text)) findings.push(`to drop, but not on the page: ${text}`);
  }
  for (const text of expected.secret) {
    if (!page.everything.includes(text)) findings.push(`secret, but not on the page: ${text}`);
  }
  for (const text of [...expected.drop, ...expected.secret]) {
    const inside = wanted.find((other) => other.includes(text));
    if (inside) findings.push(`unwanted, yet part of "${inside}": ${text}`);
  }
  return findings;
}

function tableFindings(expected, page) {
  const made = new Set(expected.made_by_script ?? []);
  const known = (cell) => cell === "" || made.has(cell) || page.cells.has(cell);
  const cells = expected.tables.flatMap((table) => [table.header, ...table.rows].flat());
  return [...new Set(cells)].filter((cell) => !known(cell)).map((cell) => `no cell reads: ${cell}`);
}

function fieldFindings(expected, page) {
  const findings = [];
  const made = new Set(expected.made_by_script ?? []);
  const missing = (text) => text !== "" && !made.has(text) && !page.named.includes(text);
  for (const { label, value, kind, problem } of expected.fields) {
    if (missing(label)) findings.push(`no label reads: ${label}`);
    if (kind === "checkbox" && !["checked", "unchecked"].includes(value)) findings.push(`${label} is neither checked nor unchecked`);
    if (kind !== "checkbox" && missing(value)) findings.push(`no field has the value: ${value}`);
    if (problem && missing(problem)) findings.push(`no message reads: ${problem}`);
  }
  return findings;
}

// The page, read roughly.

/**
 * `text`: what may be read, a line for each block. `named`: that with the attributes that people see.
 * `everything`: also hidden parts, scripts and the source itself. `cells`: the texts of all cells.
 */
function read(source) {
  const tree = parse(source);
  const text = blocks(tree);
  const attributes = [];
  each(tree, (node) => attributes.push(...Object.values(node.attributes).map(collapse)));
  const heads = [];
  each(tree, (node) => node.name === "title" && heads.push(collapse(rawText(node))));
  const named = [text, ...attributes, ...heads].join("\n");
  const everything = [named, blocks(tree, "silent too"), collapse(source), collapse(decode(source))].join("\n");
  return { tree, text, named, everything, cells: cellTexts(tree) };
}

function cellTexts(tree) {
  const cells = new Set();
  const roles = ["cell", "gridcell", "columnheader", "rowheader"];
  each(tree, (node) => {
    if (node.name !== "td" && node.name !== "th" && !roles.includes(node.attributes.role)) return;
    cells.add(collapse(blocks(node).replaceAll("\n", " ")));
    cells.add(collapse(blocks(node, "shown alone").replaceAll("\n", " ")));
  });
  return cells;
}

function collapse(text) {
  return text.replace(/[\s\u00a0\u200b]+/g, " ").trim();
}

function decode(text) {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z][a-z0-9]*));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name] ?? whole;
  });
}

/** The text of a tree, a line for each block; alternative texts of images stand in it. */
function blocks(tree, mode = "plain") {
  let out = "";
  const walk = (node, preformatted) => {
    if (node.text !== undefined) out += preformatted ? node.text : node.text.replace(/\s+/g, " ");
    else if (mode !== "silent too" && isSilent(node)) return;
    else if (mode === "shown alone" && isAside(node)) return;
    else {
      const edge = node.name === "br" ? " " : INLINE.has(node.name) ? "" : "\n";
      out += edge;
      if (node.attributes.alt) out += node.attributes.alt;
      if (node.attributes.srcdoc) walk(parse(node.attributes.srcdoc), false);
      const button = node.name === "input" && ["submit", "button", "reset"].includes(node.attributes.type);
      if (button) out += node.attributes.value ?? "";
      for (const child of node.children) walk(child, preformatted || node.name === "pre");
      out += edge;
    }
  };
  walk(tree, false);
  return out.split("\n").map(collapse).filter((line) => line !== "").join("\n");
}

function isSilent(node) {
  return SILENT.has(node.name) || (node.name === "template" && !node.attributes.shadowrootmode);
}

function isAside(node) {
  const { hidden, "aria-hidden": unseen, class: names = "" } = node.attributes;
  return hidden !== undefined || unseen === "true" || /\b(?:sr-only|visually-hidden|screen-reader-text)\b/.test(names);
}

function each(node, visit) {
  if (node.text !== undefined) return;
  visit(node);
  if (node.attributes.srcdoc) each(parse(node.attributes.srcdoc), visit);
  node.children.forEach((child) => each(child, visit));
}

function find(tree, wanted) {
  let found;
  each(tree, (node) => (found ??= wanted(node) ? node : undefined));
  return found;
}

function rawText(node) {
  return node.text ?? node.children.map(rawText).join("");
}

function parse(source) {
  const root = element("#document", {});
  const open = [root];
  let at = 0;
  while (at < source.length) {
    const top = open[open.length - 1];
    if (RAW.has(top.name)) {
      const end = source.slice(at).search(new RegExp(`</${top.name}\\b`, "i"));
      const stop = end < 0 ? source.length : at + end;
      const raw = source.slice(at, stop);
      top.children.push({ text: top.name === "textarea" || top.name === "title" ? decode(raw) : raw });
      at = source.indexOf(">", stop) + 1 || source.length;
      open.pop();
    } else if (source[at] === "<") at = takeMarkup(source, at, open);
    else {
      const end = source.indexOf("<", at);
      const stop = end < 0 ? source.length : end;
      top.children.push({ text: decode(source.slice(at, stop)) });
      at = stop;
    }
  }
  return root;
}

/** Takes the comment, declaration or tag at `at` and says where the source goes on. */
function takeMarkup(source, at, open) {
  if (source.startsWith("<!--", at)) return source.indexOf("-->", at) + 3 || source.length;
  if (source.startsWith("<!", at) || source.startsWith("<?", at)) return source.indexOf(">", at) + 1;
  const tag = /^<(\/?)([a-zA-Z][\w:-]*)((?:\s+[^\s"'>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?|\s*\/)*)\s*>/.exec(source.slice(at));
  if (!tag) {
    open[open.length - 1].children.push({ text: "<" });
    return at + 1;
  }
  const name = tag[2].toLowerCase();
  if (tag[1]) closeTo(open, name);
  else {
    const node = element(name, attributesOf(tag[3]));
    while (CLOSED_BY[name]?.includes(open[open.length - 1].name)) open.pop();
    open[open.length - 1].children.push(node);
    if (!VOID.has(name) && !/\/\s*$/.test(tag[3])) open.push(node);
  }
  return at + tag[0].length;
}

function closeTo(open, name) {
  const depth = open.map((node) => node.name).lastIndexOf(name);
  if (depth > 0) open.length = depth;
}

function attributesOf(source) {
  const attributes = {};
  for (const [, name, double, single, bare] of source.matchAll(/([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g)) {
    attributes[name.toLowerCase()] = decode(double ?? single ?? bare ?? "");
  }
  return attributes;
}

function element(name, attributes) {
  return { name, attributes, children: [] };
}
