using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;
using Mux.Generators.Analysis;
using Mux.Generators.Contracts.Reading;
using Mux.Generators.Describing;
using Mux.Generators.Importing.Emitting;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Importing;

/// <summary>
/// The steps of the generator that import .proto files. They depend on the files and references alone, so that an edit of code runs none of them again.
/// </summary>
internal static class ImportSteps
{
    /// <summary>Name of the step that reads the files, for tests that check what ran again.</summary>
    internal const string ReadStep = "Import";

    private static readonly ImportedFile s_attributes = new(AttributesSource.FileName, AttributesSource.Text);

    // A file of one process may be part of projects with other options, at the same time.
    private static readonly ConditionalWeakTable<ImportedFile, ConcurrentDictionary<CSharpParseOptions, SyntaxTree>> s_trees = new();

    public static IncrementalValueProvider<ImportModel> Read(IncrementalGeneratorInitializationContext context)
    {
        var inputs = context.AdditionalTextsProvider.Combine(context.AnalyzerConfigOptionsProvider)
            .Select(static (pair, cancellationToken) => ImportInput.Read(pair.Left, pair.Right, cancellationToken))
            .Where(static input => input is not null).Select(static (input, _) => input!).Collect()
            .Select(static (all, _) => new EquatableArray<ImportInput>(all));
        var project = context.CompilationProvider.Select(static (compilation, _) => compilation.AssemblyName).Combine(context.AnalyzerConfigOptionsProvider)
            .Select(static (pair, _) => ImportProject.Of(pair.Left, pair.Right.GlobalOptions));
        return inputs.Combine(project).Combine(context.MetadataReferencesProvider.Collect())
            .Select(static (input, cancellationToken) => Importer.Run(input.Left.Left, input.Left.Right, input.Right, cancellationToken))
            .WithTrackingName(ReadStep);
    }

    /// <summary>
    /// Gets the code of a project with that of the imported types: contracts may name these, but the compiler does not show
    /// generated types to generators.
    /// </summary>
    public static ContractCode AddTo(Compilation compilation, ImportModel imported, CancellationToken cancellationToken)
    {
        if (imported.Files.Count == 0) return new ContractCode(compilation, []);
        var options = compilation.SyntaxTrees.FirstOrDefault()?.Options as CSharpParseOptions ?? CSharpParseOptions.Default;
        return new ContractCode(compilation, Parse(imported.Files, compilation, options, cancellationToken));
    }

    /// <summary>Gets the syntax of imported types, and of the attributes that they have if a compilation lacks these.</summary>
    public static ImmutableArray<SyntaxTree> Parse(
        IEnumerable<ImportedFile> files, Compilation compilation, CSharpParseOptions options, CancellationToken cancellationToken)
    {
        if (!AttributesSource.IsIn(compilation)) files = files.Append(s_attributes);
        return [.. files.Select(file => Parse(file, options, cancellationToken))];
    }

    /// <summary>Adds messages of files that ask for all codecs to those that contracts reach.</summary>
    /// <param name="reached">The messages that contracts reach.</param>
    /// <param name="imported">The files.</param>
    /// <param name="isDescribed">True if codecs have descriptions.</param>
    public static IncrementalValueProvider<EquatableArray<MessageModel>> JoinMessages(
        IncrementalValueProvider<EquatableArray<MessageModel>> reached, IncrementalValueProvider<ImportModel> imported,
        IncrementalValueProvider<bool> isDescribed)
    {
        var others = imported.Select(static (model, _) => model.Codecs.Messages).Combine(isDescribed)
            .Select(static (input, _) => input.Right ? Descriptions.AddTo(input.Left) : input.Left);
        return reached.Combine(others).Select(static (all, _) =>
            all.Right.Count == 0 ? all.Left : CodeContracts.Distinct(all.Left.Concat(all.Right)));
    }

    public static void Emit(
        IncrementalGeneratorInitializationContext context, IncrementalValueProvider<ImportModel> imported, IncrementalValueProvider<string> assembly,
        IncrementalValueProvider<bool> isDescribed)
    {
        context.RegisterSourceOutput(
            imported.SelectMany(static (model, _) => model.Faults), static (output, fault) => output.ReportDiagnostic(fault.ToDiagnostic()));
        context.RegisterSourceOutput(imported.SelectMany(static (model, _) => model.Files), static (output, file) =>
            output.AddSource(file.Name, SourceText.From(file.Text, Encoding.UTF8)));
        context.RegisterSourceOutput(imported.Select(static (model, _) => model.Codecs.Registered).Combine(assembly), static (output, input) =>
        {
            if (input.Left.Count > 0) output.AddSource(RegisteredCodecEmitter.FileName, RegisteredCodecEmitter.EmitFile(input.Left, input.Right));
        });
        var parts = imported.Combine(isDescribed).Select(static (input, _) => input.Right ? input.Left.Parts : default).Combine(assembly);
        context.RegisterSourceOutput(parts, static (output, input) =>
        {
            if (input.Left.Count > 0) output.AddSource(DescriberEmitter.FileName, DescriberEmitter.Emit(input.Left, input.Right));
        });

        var lacksAttributes = context.CompilationProvider.Select(static (compilation, _) => !AttributesSource.IsIn(compilation));
        context.RegisterSourceOutput(imported.Select(static (model, _) => model.Files.Count > 0).Combine(lacksAttributes), static (output, input) =>
        {
            if (input is { Left: true, Right: true }) output.AddSource(AttributesSource.FileName, SourceText.From(AttributesSource.Text, Encoding.UTF8));
        });
    }

    // The same object as before, where the file is: by that, what was read of it is known to be right still.
    private static SyntaxTree Parse(ImportedFile file, CSharpParseOptions options, CancellationToken cancellationToken) =>
        s_trees.GetOrCreateValue(file).GetOrAdd(
            options, one => CSharpSyntaxTree.ParseText(file.Text, one, file.Name, cancellationToken: cancellationToken));
}
