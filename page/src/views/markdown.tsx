// Markdown as elements. marked only reads it: no HTML is made of text, and HTML that a text contains is shown as the text
// that it is. Links lead to the web alone, and say so to the browser.
import { lexer, type Token, type Tokens } from "marked";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";

const inline = (tokens: Token[] | undefined): ComponentChildren => tokens?.map((token, n) => <Inline key={n} token={token} />);

function Inline({ token }: { token: Token }): ComponentChildren {
  switch (token.type) {
    case "strong":
      return <strong>{inline(token.tokens)}</strong>;
    case "em":
      return <em>{inline(token.tokens)}</em>;
    case "del":
      return <del>{inline(token.tokens)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link": {
      const href = (token as Tokens.Link).href;
      if (!/^https?:\/\//.test(href)) return <>{inline(token.tokens)}</>;
      return (
        <a href={href} target="_blank" rel="noreferrer noopener">
          {inline(token.tokens)}
        </a>
      );
    }
    case "text":
      return "tokens" in token && token.tokens ? <>{inline(token.tokens)}</> : token.text;
    case "escape":
    case "image":
      return token.text;
    default:
      return token.raw;
  }
}

function Block({ token, level }: { token: Token; level: number }): ComponentChildren {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading": {
      const Heading = `h${Math.min(6, level + token.depth - 1)}` as "h3";
      return <Heading>{inline(token.tokens)}</Heading>;
    }
    case "paragraph":
      return <p>{inline(token.tokens)}</p>;
    case "text":
      return <>{"tokens" in token && token.tokens ? inline(token.tokens) : token.text}</>;
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case "blockquote":
      return <blockquote>{blocks(token.tokens ?? [], level)}</blockquote>;
    case "hr":
      return <hr />;
    case "list": {
      const items = (token as Tokens.List).items.map((item, n) => <li key={n}>{blocks(item.tokens, level)}</li>);
      return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
    }
    case "table": {
      const { header, rows } = token as Tokens.Table;
      return (
        <table>
          <thead>
            <tr>
              {header.map((cell, n) => (
                <th key={n} scope="col">
                  {inline(cell.tokens)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, n) => (
              <tr key={n}>
                {row.map((cell, column) => (
                  <td key={column}>{inline(cell.tokens)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
    }
    default:
      return <p>{token.raw}</p>;
  }
}

const blocks = (tokens: Token[], level: number): ComponentChildren => tokens.map((token, n) => <Block key={n} token={token} level={level} />);

// `level`: that of its headings of the first level.
export const elementsOf = (text: string, level: number): ComponentChildren => blocks(lexer(text), level);

export function Markdown({ text, level = 3 }: { text: string; level?: number }) {
  return <div class="markdown">{useMemo(() => elementsOf(text, level), [text, level])}</div>;
}
