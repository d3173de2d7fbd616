(place) => {
  const one = document.querySelector('[data-testid="stMain"] ' + place);
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const paint = (under, colour) => {
    canvas.fillStyle = `rgb(${under.join(',')})`; canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
  let behind = [255, 255, 255]; const above = [];
  for (let at = one; at; at = at.parentElement) above.unshift(getComputedStyle(at).backgroundColor);
  for (const colour of above) behind = paint(behind, colour);
  const front = paint(behind, getComputedStyle(one).color);
  const light = (rgb) => { const [r, g, b] = rgb.map(v => v / 255).map(
      v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const [a, b] = [light(front), light(behind)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05); }
