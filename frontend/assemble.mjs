// Put the built script and style into the template, with their hashes in the security policy.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const hash = (text) => "sha256-" + createHash("sha256").update(text, "utf8").digest("base64");

// An end tag within the script would end it early.
const script = read("dist/page.js").trim().replaceAll("</script", "<\\/script");
const style = read("dist/page.css").trim();
const parts = {
  "{{script-hash}}": hash(script),
  "{{style-hash}}": hash(style),
  "{{style}}": style,
  "{{script}}": script,
};
let page = read("template.html");
for (const [mark, text] of Object.entries(parts)) page = page.split(mark).join(text);
writeFileSync(new URL("../src/roctopus/report/template.html", import.meta.url), page);
console.log(`template: ${Buffer.byteLength(page)} bytes`);
