using System.Text.RegularExpressions;
using Mux.TestSupport.Sources;

namespace Mux.Tests.Documentation;

/// <summary>A page of the documentation: its headings as anchors, where it points, and its blocks of code.</summary>
internal sealed partial class MarkdownPage(string path)
{
    private readonly string _text = SourceTree.Read(path);

    /// <summary>The pages that people read, except those of diagnostics.</summary>
    public static IEnumerable<string> ForUsers { get; } =
        ["README.md", .. SourceTree.Files("docs", "*.md").Where(static page => !page.StartsWith("docs/diagnostics/", StringComparison.Ordinal))];

    /// <summary>All documents of the repository that point at others.</summary>
    public static IEnumerable<string> All { get; } =
    [
        .. ForUsers, .. SourceTree.Files("docs/diagnostics", "*.md"), .. SourceTree.Files("src", "README.md"), .. SourceTree.Files("src", "PROTOCOL.md"),
        "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "llms.txt", "benchmarks/README.md",
    ];

    public string Path { get; } = path;

    /// <summary>The names under which links reach the headings, as the hosts of repositories make them.</summary>
    public HashSet<string> Anchors()
    {
        HashSet<string> anchors = [];
        foreach (var heading in Heading().Matches(Fenced().Replace(_text, string.Empty)).Select(static match => match.Groups[1].Value))
        {
            var text = Target().Replace(heading, "$1").ToLowerInvariant();
            var anchor = NotInAnchors().Replace(text, string.Empty).Replace(' ', '-');
            for (int again = 1; !anchors.Add(anchor); again++) anchor = $"{anchor}-{again}";
        }

        return anchors;
    }

    /// <summary>Links and images that lead into this repository: a file, which is empty for this page, and an anchor, which may be empty.</summary>
    public IEnumerable<(string File, string Anchor)> Links() =>
        from match in Link().Matches(Fenced().Replace(_text, string.Empty))
        let link = match.Groups[1].Value
        where !link.Contains("://", StringComparison.Ordinal) && !link.StartsWith("mailto:", StringComparison.Ordinal)
        let hash = link.IndexOf('#', StringComparison.Ordinal)
        select hash < 0 ? (link, string.Empty) : (link[..hash], link[(hash + 1)..]);

    /// <summary>Blocks of code: the file that is named above one, or null, its language and its text.</summary>
    public IEnumerable<(string? File, string Language, string Code)> Blocks() =>
        Fenced().Matches(_text).Select(static match =>
            (match.Groups["file"].Success ? match.Groups["file"].Value : null, match.Groups["language"].Value, match.Groups["code"].Value));

    [GeneratedRegex(@"^#{1,6} (.+?)\s*$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex(@"\[([^\]]*)\]\([^)]*\)")]
    private static partial Regex Target();

    [GeneratedRegex(@"[^\p{L}\p{Nd} _-]")]
    private static partial Regex NotInAnchors();

    [GeneratedRegex("""(?:\]\(|(?:src|srcset|href)=")([^)"\s]+)[)"]""")]
    private static partial Regex Link();

    [GeneratedRegex(@"(?:`(?<file>[\w./-]+)`:\n\n)?^(?<indent> *)```(?<language>\w*)\n(?<code>.*?)^\k<indent>```$", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Fenced();
}
