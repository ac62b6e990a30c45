using System.Reflection;
using Microsoft.CodeAnalysis;
using Mux.Description;
using Mux.TestSupport.Sources;
using Mux.Tests.Contracts;

namespace Mux.Proto.Tests.Files;

/// <summary>What is exported, imported and exported again is identical.</summary>
public sealed class RoundTripTests
{
    private static readonly string s_golden = Path.Combine(SourceTree.Root, "tests/Mux.Description.Tests/Exports/Golden");

    public static TheoryData<string> Golden => ["circles", "shapes", "store"];

    public static TheoryData<Type> Contracts =>
        [.. typeof(IForms).Assembly.GetTypes().Where(static type => type.IsInterface && type.GetCustomAttribute<MuxServiceAttribute>() is not null)];

    [Theory]
    [MemberData(nameof(Golden))]
    public void Exported_files_are_the_same_after_an_import(string name)
    {
        var folder = Path.Combine(s_golden, name);
        var files = Directory.GetFiles(folder, "*.proto", SearchOption.AllDirectories)
            .ToDictionary(file => Path.GetRelativePath(folder, file).Replace('\\', '/'), File.ReadAllText, StringComparer.Ordinal);
        // C# has narrower numbers than protobuf, of which fingerprints tell.
        AssertSame(files, hasFingerprints: name != "shapes");
    }

    [Theory]
    [MemberData(nameof(Contracts))]
    public void Exported_contracts_are_the_same_after_an_import(Type contract)
    {
        var set = (ContractSet)typeof(ContractSet).GetMethod(nameof(ContractSet.Of))!.MakeGenericMethod(contract).Invoke(null, null)!;
        AssertSame(set.ToProtoFiles(), hasFingerprints: true);
    }

    [Theory]
    [InlineData("true")]
    [InlineData("false")]
    public void Files_with_every_construct_compile_without_descriptions_too(string descriptions)
    {
        var names = new[] { "common", "known", "modern", "names", "old", "plain", "rules", "scalars", "services" }.Select(static name => $"tests/{name}.proto");
        var run = ImportedProject.Run(names.ToDictionary(static name => name, static name => TestFiles.Read(name)!, StringComparer.Ordinal), ("MuxDescriptions", descriptions));
        Assert.DoesNotContain(run.Diagnostics, static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);
        Assert.Equal(descriptions == "true", run.GeneratedTrees.Any(static tree => tree.FilePath.EndsWith("Imports.Descriptions.g.cs", StringComparison.Ordinal)));
        Assert.Equal(["old.proto:170", "old.proto:175"], run.Diagnostics.Where(static diagnostic => diagnostic.Id == "MUX0092").Select(PlaceOf).Order(StringComparer.Ordinal));
        Assert.NotEmpty(run.Load().GetTypes());
    }

    private static string PlaceOf(Diagnostic diagnostic)
    {
        var place = diagnostic.Location.GetLineSpan();
        return $"{Path.GetFileName(place.Path)}:{place.StartLinePosition.Line + 1}";
    }

    private static void AssertSame(IReadOnlyDictionary<string, string> files, bool hasFingerprints)
    {
        var own = files.Where(static file => file.Key != "mux/options.proto").ToDictionary(StringComparer.Ordinal);
        var run = ImportedProject.Run(own);
        if (own.Values.Any(static text => text.Contains("mux.Opaque", StringComparison.Ordinal)))
        {
            // A format that the file does not describe.
            Assert.Contains(run.Diagnostics, static diagnostic => diagnostic.Id == "MUX0090");
            return;
        }

        Assert.Empty(run.Mistakes);
        var again = ImportedProject.Describe(run).ToProtoFiles();
        Assert.Equal(own.Keys.Order(StringComparer.Ordinal), again.Keys.Where(static name => name != "mux/options.proto").Order(StringComparer.Ordinal));
        foreach (var (name, text) in own) Assert.Equal(Without(text, hasFingerprints), Without(again[name], hasFingerprints));
    }

    private static string Without(string text, bool hasFingerprints) => string.Join('\n', text.Split('\n').Where(line =>
        !line.TrimStart().StartsWith("//", StringComparison.Ordinal) && (hasFingerprints || !line.Contains("_fingerprint:", StringComparison.Ordinal))));
}
