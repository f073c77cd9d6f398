// Looks at the site in a real browser and prints what it found as JSON. Asked on standard input:
// {base, all: [paths], some: [paths], shots: folder or null}.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import bundled from "@sparticuz/chromium";

const asked = JSON.parse(readFileSync(0, "utf8"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const found = { wide: [], console: [], elsewhere: [], axe: [], loaded: 0, said: {} };

const browser = await chromium.launch({
  executablePath: process.env.ADE_CHROMIUM || (await bundled.executablePath()),
  args: ["--no-sandbox", "--headless=shell", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

const visit = async (how, look) => {
  const context = await browser.newContext(how);
  const page = await context.newPage();
  page.on("console", (line) => found.console.push(`${page.url()}: ${line.type()}: ${line.text()}`));
  page.on("pageerror", (problem) => found.console.push(`${page.url()}: ${problem.message}`));
  context.on("request", (request) => {
    found.loaded++;
    if (!request.url().startsWith(asked.base)) found.elsewhere.push(request.url());
  });
  context.on("requestfailed", (request) => found.console.push(`${request.url()}: ${request.failure()?.errorText}`));
  try {
    return await look(page);
  } finally {
    await context.close();
  }
};

const measure = async (page, path, width) => {
  await page.goto(asked.base + path);
  const [whole, window_] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  if (whole > window_) found.wide.push(`${path} at ${width}: ${whole}`);
};

const judge = async (page, path, name) => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"], preload: false }));
  for (const one of violations) {
    found.axe.push(`${path} ${name}: ${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ")}`);
  }
};

await visit({ viewport: PHONE }, async (page) => {
  for (const path of asked.all) await measure(page, path, "phone");
});
for (const [name, viewport, colorScheme] of [["desktop", DESKTOP, "light"], ["desktop", DESKTOP, "dark"], ["phone", PHONE, "dark"]]) {
  await visit({ viewport, colorScheme, bypassCSP: true }, async (page) => {
    for (const path of asked.some) {
      await measure(page, path, name);
      await judge(page, path, `${name} ${colorScheme}`);
      if (asked.shots) await page.screenshot({ path: `${asked.shots}/${name}-${colorScheme}-${path.replaceAll("/", "_")}.png` });
    }
  });
}

found.said.search = await visit({ viewport: DESKTOP }, async (page) => {
  const out = {};
  await page.goto(asked.base + "index.html");
  await page.keyboard.press("/");
  await page.keyboard.type("create lane");
  await page.waitForSelector("#hits li");
  out.first = await page.textContent("#hits li b");
  out.told = await page.textContent("#found");
  await page.keyboard.press("ArrowDown");
  out.active = await page.evaluate(() => {
    const option = document.getElementById(document.querySelector("#query").getAttribute("aria-activedescendant"));
    return [option.getAttribute("aria-selected"), document.querySelector("#query").getAttribute("aria-expanded")];
  });
  await page.keyboard.press("Enter");
  await page.waitForURL("**/actions/lane.create.html");
  out.heading = await page.textContent("h1");
  await page.fill("#query", "lane craete");
  await page.waitForSelector("#hits li");
  out.mistyped = await page.textContent("#hits li b");
  await page.fill("#query", "lane_name_taken");
  await page.waitForFunction(() => document.querySelector("#hits b")?.textContent === "lane_name_taken");
  await page.click("#hits li a");
  await page.waitForURL("**/errors.html#lane_name_taken");
  await page.fill("#query", "zzzz qqqq");
  await page.waitForSelector("#hits .none");
  await page.keyboard.press("Escape");
  out.closed = await page.isHidden("#hits");
  return out;
});

found.said.page = await visit({ viewport: PHONE }, async (page) => {
  const out = {};
  await page.goto(asked.base + "actions/lane.create.html");
  await page.keyboard.press("Tab");
  out.skip = await page.evaluate(() => document.activeElement.className);
  await page.keyboard.press("Enter");
  out.main = await page.evaluate(() => document.activeElement.id);
  const first = page.locator(".panes").first();
  out.tabs = await first.locator("[role=tab]").allTextContents();
  await first.locator("[role=tab]").first().focus();
  await page.keyboard.press("ArrowRight");
  out.json = JSON.parse(await first.locator(".pane:visible pre").textContent());
  out.chosen = await first.locator("[aria-selected=true]").textContent();
  out.side = await page.isVisible("#nav");
  await page.click(".menu");
  out.opened = [await page.isVisible("#nav"), await page.getAttribute(".menu", "aria-expanded")];
  await page.keyboard.press("Escape");
  out.shut = await page.isVisible("#nav");
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await colour();
  await page.click(".theme");
  out.dark = (await colour()) !== light;
  await page.goto(asked.base + "errors.html");
  out.kept = (await colour()) !== light;
  await page.fill("#filter", "lane taken");
  out.filtered = await page.locator(".listed:visible h2").allTextContents();
  return out;
});

found.said.scriptless = await visit({ viewport: DESKTOP, javaScriptEnabled: false }, async (page) => {
  await page.goto(asked.base + "actions/lane.create.html");
  const all = await page.locator(".pane").count();
  return [all > 0 && all === (await page.locator(".pane:visible").count()), await page.isVisible(".search")];
});

await browser.close();
console.log(JSON.stringify(found));
