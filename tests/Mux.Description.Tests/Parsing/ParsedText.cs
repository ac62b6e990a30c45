using System.Collections.Concurrent;
using Mux.Description.Proto;
using Mux.Description.Proto.Parsing;

namespace Mux.Description.Tests.Parsing;

/// <summary>Files for the reader of this project.</summary>
internal static class ParsedText
{
    private const string Prefix = "proto-files/";

    private static readonly ConcurrentDictionary<string, string?> s_files = new(StringComparer.Ordinal);

    /// <summary>Gets the names of the files that the tests bring.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. typeof(ParsedText).Assembly.GetManifestResourceNames()
        .Where(static name => name.StartsWith(Prefix, StringComparison.Ordinal)).Select(static name => name[Prefix.Length..]).Order(StringComparer.Ordinal)];

    public static string File(string name) => TryFile(name) ?? throw new FileNotFoundException(name);

    public static string? TryFile(string name) => s_files.GetOrAdd(name, static name =>
    {
        using var stream = typeof(ParsedText).Assembly.GetManifestResourceStream(Prefix + name);
        return stream is null ? null : new StreamReader(stream).ReadToEnd();
    });

    /// <summary>Reads a text as the file <c>test.proto</c>, which can import the files of the tests.</summary>
    public static (ProtoFile? File, List<ProtoFault> Faults) Parse(string text) => Parse("test.proto", name => name == "test.proto" ? text : TryFile(name));

    public static (ProtoFile? File, List<ProtoFault> Faults) Parse(string name, Func<string, string?> readFile)
    {
        var faults = new List<ProtoFault>();
        return (ProtoLoader.Load(name, readFile, faults)?.Files[^1], faults);
    }

    public static ProtoFile Valid(string text)
    {
        var (file, faults) = Parse(text);
        Assert.Empty(faults);
        return file!;
    }
}
