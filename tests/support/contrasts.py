"""The contrast of each number on a page with what it stands on."""

# Contrast of every piece of text in the view with what lies behind it, by WCAG 2.
CONTRASTS = """root => {
    const numbers = (colour) => {
        const found = colour.match(/[\\d.]+/g).map(Number);
        // A mixed colour is written with shares of 1.
        return colour.startsWith("color(") ? found.map((c, n) => (n < 3 ? 255 * c : c)) : found;
    };
    const light = (colour) => {
        const [r, g, b] = numbers(colour).map((c) => (c / 255 <= 0.04045 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (node) => {
        for (let at = node; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if ((numbers(colour)[3] ?? 1) === 1) return colour;
        }
    };
    const texts = [...root.querySelectorAll("*")].filter((node) =>
        !node.disabled && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()));
    return texts.map((node) => {
        const style = getComputedStyle(node);
        const ink = node instanceof SVGElement ? style.fill : style.color;
        const [dark, bright] = [light(ink), light(ground(node))].sort((a, b) => a - b);
        return [(bright + 0.05) / (dark + 0.05), node.textContent];
    });
}"""
