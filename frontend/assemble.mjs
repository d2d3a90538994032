// Put the built script and style into the template, with their hashes in the security policy, and
// the licence notices of the packages that are built into the script.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const hash = (text) => "sha256-" + createHash("sha256").update(text, "utf8").digest("base64");

/** The packages in the script, by licence text: dependencies and theirs, as they are installed. */
function notices() {
  const names = new Set(Object.keys(JSON.parse(read("package.json")).dependencies));
  const titles = {};
  for (const name of names) {
    const { version, dependencies = {} } = JSON.parse(read(`node_modules/${name}/package.json`));
    Object.keys(dependencies).forEach((other) => names.add(other));
    (titles[read(`node_modules/${name}/LICENSE`).trim()] ??= []).push(`${name} ${version}`);
  }
  const parts = Object.entries(titles).map(([text, each]) => `${each.sort().join(", ")}\n\n${text}`);
  const found = ["This page contains the packages below.", ...parts.sort()].join("\n\n\n");
  if (found.includes("--")) throw new Error("A licence text would end the comment that holds it.");
  return found;
}

// An end tag within the script would end it early.
const script = read("dist/page.js").trim().replaceAll("</script", "<\\/script");
const style = read("dist/page.css").trim();
const parts = {
  "{{script-hash}}": hash(script),
  "{{style-hash}}": hash(style),
  "{{style}}": style,
  "{{notices}}": notices(),
  "{{script}}": script,
};
let page = read("template.html");
for (const [mark, text] of Object.entries(parts)) page = page.split(mark).join(text);
writeFileSync(new URL("../src/roctopus/report/template.html", import.meta.url), page);
console.log(`template: ${Buffer.byteLength(page)} bytes`);
