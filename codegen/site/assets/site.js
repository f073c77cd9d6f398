"use strict";

const root = document.body.dataset.root;
const make = (tag, more = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), more);
  made.append(...children);
  return made;
};

/* Colours */

const button = document.querySelector(".theme");
const dark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
const sayColours = () => button.setAttribute("aria-pressed", String(dark()));
button.addEventListener("click", () => {
  const next = dark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("ade-theme", next);
  } catch {
    // It holds for this page, then.
  }
  sayColours();
});
sayColours();

/* The navigation of narrow windows */

const menu = document.querySelector(".menu");
const side = document.getElementById("nav");
const openMenu = (open) => {
  document.body.classList.toggle("open", open);
  menu.setAttribute("aria-expanded", String(open));
};
menu.addEventListener("click", () => openMenu(menu.getAttribute("aria-expanded") !== "true"));
const current = side.querySelector("[aria-current]");
if (current && current.offsetTop > side.clientHeight - 80) side.scrollTop = current.offsetTop - side.clientHeight / 2;

/* Search */

const query = document.getElementById("query");
const hits = document.getElementById("hits");
const found = document.getElementById("found");
const MOST = 12;
let rows = null;
let loading = null;
let chosen = -1;

const load = () => {
  loading ??= new Promise((done) => {
    const script = make("script", { src: root + "assets/index.js" });
    script.addEventListener("load", () => {
      rows = window.ADE_SEARCH.map(([kind, title, text, page, more]) => ({
        kind, title, text, page,
        name: title.toLowerCase(),
        parts: words(title),
        prose: words(text),
        more: words(more),
      }));
      done();
    });
    document.head.append(script);
  });
  return loading;
};

const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** Whether two words differ by one letter more, less, other or swapped. */
const near = (one, other) => {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  const shorter = Math.min(one.length, other.length) - start;
  while (end < shorter && one.at(-1 - end) === other.at(-1 - end)) end++;
  const left = [one.length - start - end, other.length - start - end];
  if (Math.max(...left) <= 1) return true;
  return left[0] === 2 && left[1] === 2 && one[start] === other[start + 1] && one[start + 1] === other[start];
};

const fit = (row, word) => {
  if (row.parts.includes(word)) return 40;
  if (row.parts.some((part) => part.startsWith(word))) return 28;
  if (row.more.includes(word)) return 16;
  if (row.name.includes(word)) return 14;
  if (row.more.some((part) => part.startsWith(word))) return 10;
  if (row.prose.some((part) => part.startsWith(word))) return 8;
  if (word.length > 3 && row.parts.some((part) => near(part, word))) return 5;
  return 0;
};

const score = (row, asked, wanted) => {
  let sum = row.name === asked ? 100 : 0;
  for (const word of wanted) {
    const points = fit(row, word);
    if (!points) return 0;
    sum += points;
  }
  return sum - row.parts.length + (row.kind === "Action" ? 4 : 0);
};

const look = async () => {
  const asked = query.value.trim().toLowerCase();
  const wanted = words(asked);
  if (!wanted.length) return show([], "");
  await load();
  if (query.value.trim().toLowerCase() !== asked) return;
  const scored = rows.map((row, order) => [score(row, asked, wanted), order, row]).filter(([points]) => points > 0);
  scored.sort((one, other) => other[0] - one[0] || one[1] - other[1]);
  show(scored.slice(0, MOST).map(([, , row]) => row), asked, scored.length);
};

const show = (list, asked, all = 0) => {
  chosen = -1;
  query.removeAttribute("aria-activedescendant");
  hits.replaceChildren(
    ...list.map((row, number) => {
      const item = make("li", { id: `hit-${number}`, role: "option" });
      item.setAttribute("aria-selected", "false");
      item.append(
        make("a", { href: root + row.page, tabIndex: -1 },
          make("span", { className: "kind", textContent: row.kind }),
          make("b", { textContent: row.title }),
          make("span", { className: "about", textContent: row.text })),
      );
      return item;
    }),
  );
  if (asked && !list.length) {
    const none = make("li", { className: "none", role: "option", textContent: "Nothing found" });
    none.setAttribute("aria-disabled", "true");
    hits.append(none);
  }
  hits.hidden = !asked;
  query.setAttribute("aria-expanded", String(Boolean(asked)));
  found.textContent = asked ? `${all} found` : "";
};

const choose = (number) => {
  const options = [...hits.querySelectorAll("li[id]")];
  if (!options.length) return;
  options[chosen]?.setAttribute("aria-selected", "false");
  chosen = (number + options.length) % options.length;
  options[chosen].setAttribute("aria-selected", "true");
  options[chosen].scrollIntoView({ block: "nearest" });
  query.setAttribute("aria-activedescendant", options[chosen].id);
};

query.addEventListener("focus", load);
query.addEventListener("input", look);
query.addEventListener("keydown", async (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    if (hits.hidden) await look();
    choose(event.key === "ArrowDown" ? chosen + 1 : chosen < 0 ? -1 : chosen - 1);
  } else if (event.key === "Enter") {
    event.preventDefault();
    const at = Math.max(chosen, 0);
    await look();
    const option = hits.querySelectorAll("li[id] a")[at];
    if (option) location.href = option.href;
  } else if (event.key === "Escape") {
    if (hits.hidden) query.value = "";
    show([], "");
  }
});
document.addEventListener("click", (event) => {
  if (!event.target.closest(".search")) show([], "");
});
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    query.focus();
  } else if (event.key === "Escape" && document.body.classList.contains("open")) {
    openMenu(false);
    menu.focus();
  }
});

/* Ways to see an example: one at a time */

document.querySelectorAll(".panes").forEach((panes, group) => {
  const all = [...panes.querySelectorAll(".pane")];
  const list = make("div", { className: "tabs", role: "tablist" });
  list.setAttribute("aria-label", "Ways to see it");
  const tabs = all.map((pane, number) => {
    const tab = make("button", { type: "button", role: "tab", id: `tab-${group}-${number}`, textContent: pane.dataset.name });
    pane.id = `pane-${group}-${number}`;
    pane.setAttribute("role", "tabpanel");
    pane.setAttribute("aria-labelledby", tab.id);
    tab.setAttribute("aria-controls", pane.id);
    return tab;
  });
  const open = (number) => {
    all.forEach((pane, other) => (pane.hidden = other !== number));
    tabs.forEach((tab, other) => {
      tab.setAttribute("aria-selected", String(other === number));
      tab.tabIndex = other === number ? 0 : -1;
    });
  };
  list.addEventListener("click", (event) => {
    const number = tabs.indexOf(event.target);
    if (number >= 0) open(number);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = tabs.indexOf(event.target);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = (at + step + tabs.length) % tabs.length;
    open(next);
    tabs[next].focus();
  });
  list.append(...tabs);
  panes.prepend(list);
  open(0);
});

/* Copying what was typed */

document.querySelectorAll(".pane pre, .usage").forEach((block) => {
  if (!navigator.clipboard) return;
  const text = () => block.querySelector(".typed")?.textContent.replace(/ --text$/, "") ?? block.textContent;
  const copy = make("button", { type: "button", className: "copy", textContent: "Copy" });
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text());
    copy.textContent = "Copied";
    setTimeout(() => (copy.textContent = "Copy"), 1500);
  });
  block.after(copy);
});

/* Filters */

document.querySelectorAll("[data-filter]").forEach((field) => {
  const listed = [...document.querySelectorAll(field.dataset.filter)];
  const count = document.querySelector("[data-count]");
  const texts = listed.map((one) => one.textContent.toLowerCase());
  const narrow = () => {
    const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    listed.forEach((one, number) => {
      const fits = wanted.every((word) => texts[number].includes(word));
      one.hidden = !fits;
      shown += fits;
    });
    document.querySelectorAll(".listed-group").forEach((group) => {
      group.hidden = !group.querySelector(".listed:not([hidden])");
    });
    count.textContent = wanted.length ? `${shown} of ${listed.length}` : "";
  };
  field.addEventListener("input", narrow);
});
