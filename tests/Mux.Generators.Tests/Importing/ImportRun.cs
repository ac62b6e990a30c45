using Microsoft.CodeAnalysis;
using Mux.Generators.Tests.Driver;

namespace Mux.Generators.Tests.Importing;

/// <summary>A project with items MuxProto, compiled.</summary>
internal static class ImportRun
{
    /// <summary>Compiles a project whose folder is /src/app.</summary>
    public static GeneratorRun Of(string code, params (string Path, string Text)[] files) => Of(code, [], [], files);

    /// <param name="code">C# of the project.</param>
    /// <param name="references">Assemblies that it references.</param>
    /// <param name="metadata">Metadata of files whose path ends so.</param>
    /// <param name="files">The files.</param>
    public static GeneratorRun Of(
        string code, IEnumerable<MetadataReference> references, (string File, string Name, string Value)[] metadata, params (string Path, string Text)[] files)
    {
        var options = new ImportOptions(metadata, ("ProjectDir", "/src/app/"), ("RootNamespace", "App"));
        return GeneratorRun.Of(GeneratorRun.Compile("App", references, code), options, files.Select(static file => (AdditionalText)new ContractText(file.Path, file.Text)));
    }

    /// <summary>Gets the mistakes as "MUX0089 /src/app/a.proto:3:1 message".</summary>
    public static IEnumerable<string> Told(this GeneratorRun run) => run.Mistakes.Select(static diagnostic =>
    {
        var place = diagnostic.Location.GetLineSpan();
        return $"{diagnostic.Id} {place.Path}:{place.StartLinePosition.Line + 1}:{place.StartLinePosition.Character + 1} {diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture)}";
    });

    /// <summary>Gets errors of the compiler, and warnings of types that two assemblies have.</summary>
    public static IEnumerable<string> Errors(this GeneratorRun run) => run.CompilerDiagnostics()
        .Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error || diagnostic.Id == "CS0436").Select(static diagnostic => diagnostic.ToString());

    /// <summary>Gets an assembly of the result, to be referenced by another project.</summary>
    /// <param name="run">The project.</param>
    /// <param name="assembly">Name of the assembly.</param>
    public static MetadataReference ToReference(this GeneratorRun run, string assembly = "App")
    {
        using var image = new MemoryStream();
        var result = run.Output.WithAssemblyName(assembly).Emit(image, cancellationToken: TestContext.Current.CancellationToken);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics.Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error)));
        return MetadataReference.CreateFromImage(image.ToArray());
    }
}
