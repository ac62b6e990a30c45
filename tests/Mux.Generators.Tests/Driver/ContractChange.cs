using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Description.Proto.Comparing;
using Mux.Description.Proto.Printing;
using Mux.Generators.Analysis;

namespace Mux.Generators.Tests.Driver;

/// <summary>Code that changed after its contracts were recorded.</summary>
internal static class ContractChange
{
    private const string Path = "/src/Contracts/shop.proto";

    /// <summary>Gets the file that records the contracts of one package.</summary>
    public static string Record(string code) => Assert.Single(RecordAll(code));

    /// <summary>Gets the files that record contracts.</summary>
    public static List<string> RecordAll(string code) => RecordAll(Compile(code));

    /// <inheritdoc cref="RecordAll(string)"/>
    public static List<string> RecordAll(CSharpCompilation code)
    {
        var files = CodeContracts.Read(code, default, TestContext.Current.CancellationToken)!.ToFiles();
        var own = ContractUpdate.Merge(files, null, null, null).Where(static file => !ContractUpdate.IsShared(file.Name));
        return [.. own.Select(ProtoPrinter.Print)];
    }

    /// <summary>Gets what is reported of code, in the order of the rules.</summary>
    public static List<Diagnostic> Find(string code, string recorded, params (string Name, string Value)[] properties)
    {
        var run = GeneratorRun.Of(Compile(code), new ProjectProperties(properties), [new ContractText(Path, recorded)]);
        return [.. run.Mistakes.OrderBy(static diagnostic => diagnostic.Id, StringComparer.Ordinal)];
    }

    /// <summary>Gets the code at a place.</summary>
    public static string TextAt(Location location, string code) => code.Substring(location.SourceSpan.Start, location.SourceSpan.Length);

    private static CSharpCompilation Compile(string code) => GeneratorRun.Compile("Sample", [], code, GeneratorRun.ProtoBufSource);
}
