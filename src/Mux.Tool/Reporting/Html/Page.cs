using System.Globalization;
using System.Net;
using System.Text;

namespace Mux.Tool.Reporting.Html;

/// <summary>A self-contained page: no external scripts, fonts or pictures. Light or dark like the reader's system.</summary>
internal sealed class Page
{
    /// <summary>Number of line colours; further lines repeat them.</summary>
    public const int Colors = 6;

    private const string Style = """
        :root{color-scheme:light dark;--back:#f6f7f9;--card:#fff;--ink:#14181f;--soft:#5b6573;--rule:#e3e7ec;--bad:#b3261e;--good:#16744a;
        --k0:#2367c9;--k1:#c2570c;--k2:#11806a;--k3:#8a3fb8;--k4:#96710a;--k5:#c02f67;--heat:35,103,201}
        @media(prefers-color-scheme:dark){:root{--back:#0f1216;--card:#181c22;--ink:#e8ebef;--soft:#9aa4b1;--rule:#2b313a;--bad:#ff8a80;--good:#6fd3a0;
        --k0:#6ea8ff;--k1:#f59a57;--k2:#4cc9ab;--k3:#c491ea;--k4:#d9b44a;--k5:#f07fa9;--heat:110,168,255}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:1120px;padding:24px 16px 48px;background:var(--back);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
        h1{font-size:22px;line-height:1.25;margin:0 0 4px}h2{font-size:16px;margin:28px 0 10px}p{margin:0 0 8px;color:var(--soft)}
        .banner{margin:12px 0;padding:10px 14px;border-left:4px solid var(--bad);background:var(--card);color:var(--bad);font-weight:600}
        .tiles,.charts{display:grid;gap:12px}.tiles{grid-template-columns:repeat(auto-fit,minmax(132px,1fr));margin:16px 0}
        .charts{grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr))}
        .tile,figure,.card{background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:12px 14px;margin:0}
        .tile b{display:block;font-size:22px;line-height:1.2;font-variant-numeric:tabular-nums}.tile span{color:var(--soft);font-size:13px}
        figcaption{font-weight:600;margin-bottom:4px}svg{display:block;width:100%;height:auto}
        svg text{font:11.5px system-ui,sans-serif;fill:var(--soft)}
        .grid{stroke:var(--rule);fill:none}.axis{stroke:var(--soft);fill:none}
        .line{fill:none;stroke-width:2;stroke-linejoin:round}.dot{stroke:var(--card);stroke-width:1.5}
        .legend{display:flex;flex-wrap:wrap;gap:2px 14px;font-size:13px;color:var(--soft)}
        .legend i{display:inline-block;width:14px;height:3px;border-radius:2px;margin-right:6px;vertical-align:middle}
        .card{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
        th,td{padding:5px 10px;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}th{color:var(--soft);font-weight:500;font-size:13px}
        th:first-child,td:first-child{text-align:left}tr:last-child td{border-bottom:0}td.text{white-space:normal;text-align:left}
        .good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}
        """;

    private readonly StringBuilder _body = new();
    private readonly string _title;

    /// <param name="title">Heading.</param>
    /// <param name="about">Lines below it.</param>
    public Page(string title, params IEnumerable<string> about)
    {
        _title = title;
        _body.Append(CultureInfo.InvariantCulture, $"<h1>{Encode(title)}</h1>");
        foreach (var line in about) _body.Append(CultureInfo.InvariantCulture, $"<p>{Encode(line)}</p>");
    }

    /// <summary>Adds a banner that must be read first.</summary>
    public Page Banner(string text)
    {
        _body.Append(CultureInfo.InvariantCulture, $"<div class=\"banner\" role=\"alert\">{Encode(text)}</div>");
        return this;
    }

    /// <summary>Adds a line of text.</summary>
    public Page Note(string text)
    {
        _body.Append(CultureInfo.InvariantCulture, $"<p>{Encode(text)}</p>");
        return this;
    }

    /// <summary>Adds the main figures.</summary>
    public Page Tiles(params IEnumerable<(string Name, string Value)> tiles)
    {
        _body.Append("<div class=\"tiles\">");
        foreach (var (name, value) in tiles)
        {
            _body.Append(CultureInfo.InvariantCulture, $"<div class=\"tile\"><b>{Encode(value)}</b><span>{Encode(name)}</span></div>");
        }

        _body.Append("</div>");
        return this;
    }

    public Page Charts(params IEnumerable<string> drawings)
    {
        _body.Append("<div class=\"charts\">").AppendJoin("", drawings).Append("</div>");
        return this;
    }

    /// <param name="title">Heading.</param>
    /// <param name="header">Titles of the columns.</param>
    /// <param name="rows">Rows with a cell per column.</param>
    /// <param name="attributes">Gets the attributes of a cell by row and column, such as a class; null for none.</param>
    public Page Table(string title, IReadOnlyList<string> header, IReadOnlyList<IReadOnlyList<string>> rows, Func<int, int, string>? attributes = null)
    {
        _body.Append(CultureInfo.InvariantCulture, $"<h2>{Encode(title)}</h2><div class=\"card\"><table><tr>");
        foreach (var name in header) _body.Append(CultureInfo.InvariantCulture, $"<th>{Encode(name)}</th>");
        _body.Append("</tr>");
        for (int row = 0; row < rows.Count; row++)
        {
            _body.Append("<tr>");
            for (int column = 0; column < rows[row].Count; column++)
                _body.Append(CultureInfo.InvariantCulture, $"<td {attributes?.Invoke(row, column)}>{Encode(rows[row][column])}</td>");
            _body.Append("</tr>");
        }

        _body.Append("</table></div>");
        return this;
    }

    public byte[] ToBytes()
    {
        var text = $"<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
            + $"<title>{Encode(_title)}</title><style>{Style}{ColorRules()}</style></head><body>{_body}</body></html>\n";
        return Encoding.UTF8.GetBytes(text);
    }

    private static string ColorRules() =>
        string.Concat(Enumerable.Range(0, Colors).Select(i => $".c{i}{{stroke:var(--k{i})}}.f{i}{{fill:var(--k{i})}}.b{i}{{background:var(--k{i})}}"));

    private static string Encode(string text) => WebUtility.HtmlEncode(text);
}
