using System.Globalization;
using System.Net;
using System.Text;
using Mux.Walk.Tests.Weaving;

namespace Mux.Walk.Tests.Walks;

/// <summary>
/// A walk as a page for a reader, with nothing outside of it: file by file, in the order in which the call comes to
/// them.
/// </summary>
internal static class WalkPage
{
    private const string Head = """
        <!doctype html><meta charset="utf-8"><title>{0}</title>
        <style>
        body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 60em; }
        td, th { padding: .1em 1em .1em 0; text-align: left; vertical-align: top } td.n { text-align: right }
        code { font-size: 13px } .room { color: #777 } .forward { color: #a40 } ol, ul { margin: .2em 0 }
        </style>
        """;

    public static string Of(RecordedWalk walk)
    {
        var page = new StringBuilder();
        page.Append(Head.Replace("{0}", Encode(walk.Play), StringComparison.Ordinal));
        page.Append(CultureInfo.InvariantCulture, $"\n<h1>{Encode(walk.Play)}</h1>\n<p>");
        page.Append(CultureInfo.InvariantCulture, $"{walk.Figures}. ");
        page.Append("Methods that only call another one are <span class=forward>coloured</span>.</p>\n");
        page.Append("<h2>The way</h2>\n<ol>\n");
        foreach (var stop in Stops(walk.Entries)) AddStop(page, stop);
        page.Append("</ol>\n<h2>The files</h2>\n<table>\n<tr><th>entries<th>methods<th>forwards<th>file\n");
        var files = walk.Entries.GroupBy(method => method.File).OrderByDescending(file => file.Count());
        foreach (var file in files) AddFile(page, file);
        page.Append("</table>\n");
        return page.ToString();
    }

    /// <summary>Entries that follow each other in one file.</summary>
    private static List<List<WovenMethod>> Stops(IReadOnlyList<WovenMethod> entries)
    {
        var stops = new List<List<WovenMethod>>();
        foreach (var method in entries)
        {
            if (stops.Count == 0 || stops[^1][0].File != method.File) stops.Add([]);
            stops[^1].Add(method);
        }

        return stops;
    }

    private static void AddStop(StringBuilder page, List<WovenMethod> stop)
    {
        var name = stop[0].File[(stop[0].File.LastIndexOf('/') + 1)..];
        page.Append(CultureInfo.InvariantCulture, $"<li><b>{Encode(name)}</b> ");
        page.Append(CultureInfo.InvariantCulture, $"<span class=room>{Encode(stop[0].Room)}</span><ul>\n");
        foreach (var method in stop)
        {
            var mark = method.IsForward ? " class=forward" : "";
            var line = method.Line > 0 ? $" <span class=room>line {method.Line}</span>" : "";
            page.Append(CultureInfo.InvariantCulture, $"<li{mark}><code>{Encode(method.Name)}</code>{line}\n");
        }

        page.Append("</ul>\n");
    }

    private static void AddFile(StringBuilder page, IGrouping<string, WovenMethod> file)
    {
        var methods = file.Distinct().ToList();
        page.Append(CultureInfo.InvariantCulture, $"<tr><td class=n>{file.Count()}<td class=n>{methods.Count}");
        int forwards = methods.Count(method => method.IsForward);
        page.Append(CultureInfo.InvariantCulture, $"<td class=n>{forwards}<td>{Encode(file.Key)}\n");
    }

    private static string Encode(string text) => WebUtility.HtmlEncode(text);
}
