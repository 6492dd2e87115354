/** The page itself. Its script and style are files of their own, so that its policy needs no `inline`. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>termtopic</title>
<link rel="stylesheet" href="page.css">
<script src="page.js" defer></script>
</head>
<body>
<h1>Terminals</h1>
<p id="status" role="status">Starting</p>
<pre id="list" tabindex="0"></pre>
<noscript>This page needs JavaScript to show the list.</noscript>
</body>
</html>
`;

export const STYLE = `:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { margin: 1rem; }
h1 { font-size: 1.25rem; }
pre { overflow-x: auto; line-height: 1.5; }
.stale { opacity: 0.6; }
`;
