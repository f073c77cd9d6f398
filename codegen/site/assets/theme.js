// Before anything is drawn: what the reader chose last, and that scripts run.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  let chosen = null;
  try {
    chosen = localStorage.getItem("ade-theme");
  } catch {
    // A page opened from a file may have no storage; the system's colours are right then.
  }
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
})();
