using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Mux.Description.Proto.Parsing;

namespace Mux.Description.Tests.Comparing;

/// <summary>The program buf. It takes a second to start, so it judges all edits at once: each is a file with a package of its own.</summary>
internal static partial class BufProgram
{
    private static readonly string[] s_categories = ["FILE", "PACKAGE", "WIRE_JSON", "WIRE"];

    /// <summary>Gets the path of the program; null if there is none.</summary>
    public static string? Path { get; } = Environment.GetEnvironmentVariable("MUX_BUF");

    public static async Task<BufVerdicts> JudgeAsync(IReadOnlyList<BufEdit> edits, CancellationToken cancellationToken)
    {
        var root = Directory.CreateTempSubdirectory("mux-buf");
        try
        {
            var folder = root.CreateSubdirectory("after").FullName;
            Write(root.CreateSubdirectory("before").FullName, edits.Select(static edit => (string?)edit.Before));
            Write(folder, edits.Select(static edit => edit.After));
            var verdicts = new BufVerdicts(
                $"buf {(await RunAsync(folder, cancellationToken, "--version")).Trim()}: its breaking rules with their categories, and what it says of each edit of BufEdits.",
                new(StringComparer.Ordinal), new(StringComparer.Ordinal));
            foreach (var rule in Objects(await RunAsync(folder, cancellationToken, "config", "ls-breaking-rules", "--version", "v2", "--format", "json")))
            {
                var categories = rule.GetProperty("categories").EnumerateArray().Select(static category => category.GetString()!).ToList();
                verdicts.Categories.Add(rule.GetProperty("id").GetString()!, [.. s_categories.Intersect(categories)]);
            }

            foreach (var edit in edits) verdicts.OfEdits.Add(edit.What, new(StringComparer.Ordinal));
            foreach (var category in s_categories)
            {
                var config = JsonSerializer.Serialize(new { version = "v2", breaking = new { use = new[] { category } } });
                foreach (var found in Objects(await RunAsync(folder, cancellationToken, "breaking", "--against", "../before", "--error-format", "json", "--config", config)))
                    verdicts.OfEdits.GetAt(int.Parse(EditName().Match(found.ToString()).Groups[1].ValueSpan, CultureInfo.InvariantCulture)).Value.Add(found.GetProperty("type").GetString()!);
            }

            return verdicts;
        }
        finally
        {
            root.Delete(recursive: true);
        }
    }

    private static void Write(string folder, IEnumerable<string?> texts)
    {
        Directory.CreateDirectory(System.IO.Path.Combine(folder, "mux"));
        foreach (var name in new[] { "mux/options.proto", "mux/bodies.proto", "bcl.proto" }) File.WriteAllText(System.IO.Path.Combine(folder, name), BuiltInFiles.Read(name));
        foreach (var (index, text) in texts.Index())
        {
            if (text is not null) File.WriteAllText(System.IO.Path.Combine(folder, $"edit{index}.proto"), BufEdit.Whole(text, $"edit{index}"));
        }
    }

    // Exit code 100: it has found something.
    private static async Task<string> RunAsync(string folder, CancellationToken cancellationToken, params string[] arguments)
    {
        var start = new ProcessStartInfo(Path!, arguments) { WorkingDirectory = folder, RedirectStandardOutput = true, RedirectStandardError = true };
        using var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync(cancellationToken);
        var output = await process.StandardOutput.ReadToEndAsync(cancellationToken);
        await process.WaitForExitAsync(cancellationToken);
        Assert.True(process.ExitCode is 0 or 100, $"{string.Join(' ', arguments)}: {process.ExitCode}\n{await errors}{output}");
        return output;
    }

    private static IEnumerable<JsonElement> Objects(string lines) =>
        lines.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => JsonDocument.Parse(line).RootElement);

    [GeneratedRegex(@"\bedit(\d+)\b")]
    private static partial Regex EditName();
}
