// The sliders of a view: no message goes to the kernel while one moves, the state is sent once, when it has come
// to rest; and screen readers get to know what they are.
const REST = 250; // milliseconds without a change after which a movement by keys counts as over

// identities: the ids of the controls' models and, last, of the view's own. Returns a function that sends
// what the view itself has set. A host without a widget manager sends at once, as it would anyway.
export async function join(model, identities) {
  if (!model.widget_manager?.get_model) return () => model.save_changes();
  const models = await Promise.all(identities.map((id) => model.widget_manager.get_model(id)));
  const itself = models.at(-1);
  // The same model may be shown twice; its messages are held back once.
  if (!itself.heldBack) holdBack(models);
  itself.heldBack = true;
  models.slice(0, -1).forEach(speak);
  return () => itself.save_changes();
}

// ipywidgets leaves the handle of a slider without a name for screen readers, and has them read a choice's number
// instead of the choice.
async function speak(control) {
  for (const view of await Promise.all(Object.values(control.views ?? {}))) {
    const handle = view.el.querySelector("[role=slider], .ui-slider-handle");
    if (!handle) continue;
    handle.setAttribute("aria-label", control.get("description"));
    const choices = control.get("_options_labels");
    if (!choices) continue;
    const say = (_, n, places) => handle.setAttribute("aria-valuetext", choices[Math.round(places[n])]);
    // Called once now and after each writing of the number.
    handle.closest(".noUi-target")?.noUiSlider.on("update", say);
  }
}

function holdBack(models) {
  const waiting = new Map();
  let pressed = false;
  let timer;
  const wait = () => {
    clearTimeout(timer);
    if (!pressed && waiting.size > 0) timer = setTimeout(send, REST);
  };
  const send = () => {
    const due = [...waiting.values()];
    waiting.clear();
    due.forEach((save) => save());
  };
  for (const held of models) {
    const save = held.save_changes;
    held.save_changes = (...callbacks) => {
      waiting.set(held, () => save.apply(held, callbacks));
      wait();
    };
    // The kernel's echo of an older state must not undo what has been set here since and waits to be sent.
    const setState = held.set_state;
    held.set_state = (state) => {
      const unsent = Object.keys(held._buffered_state_diff ?? {});
      const fresh = Object.entries(state).filter(([name]) => !unsent.includes(name));
      return setState.call(held, Object.fromEntries(fresh));
    };
  }
  const listening = new AbortController();
  const press = (down) => () => {
    pressed = down;
    wait();
  };
  // On the window and in the capture phase, because sliders stop these events on their way up.
  const options = { capture: true, signal: listening.signal };
  window.addEventListener("pointerdown", press(true), options);
  window.addEventListener("pointerup", press(false), options);
  window.addEventListener("pointercancel", press(false), options);
  models.at(-1).once("destroy", () => listening.abort());
}
