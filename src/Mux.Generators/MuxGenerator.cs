using Microsoft.CodeAnalysis;
using Mux.Generators.Analysis;
using Mux.Generators.Contracts.Emitting;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Contracts.Reading;
using Mux.Generators.Describing;
using Mux.Generators.Importing;
using Mux.Generators.Messages.Emitting;
using Mux.Generators.Symbols;

namespace Mux.Generators;

/// <summary>
/// Generates a proxy, a description for the server and message codecs for every [MuxService] interface. Only the first step reads symbols; all later steps work
/// on values, so that an edit elsewhere runs nothing again.
/// </summary>
[Generator(LanguageNames.CSharp)]
public sealed class MuxGenerator : IIncrementalGenerator
{
    /// <summary>Names of the steps, for tests that check what ran again.</summary>
    internal const string ReadStep = "Read";
    internal const string RegistrationStep = "Registration";
    internal const string ServicesStep = "Services";
    internal const string MessagesStep = "Messages";
    internal const string DiagnosticsStep = "Diagnostics";
    internal const string ContractsStep = "Contracts";

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        var assembly = context.CompilationProvider.Select(static (compilation, _) =>
            SymbolText.Escape(SymbolText.ToIdentifier(compilation.AssemblyName ?? "Assembly")));
        var old = OldLanguage.Of(context);
        var files = ImportSteps.Read(context);
        var read = context.CompilationProvider.Combine(files).SelectMany(static (input, cancellationToken) =>
            ProjectContracts.Read(ImportSteps.AddTo(input.Left, input.Right, cancellationToken), cancellationToken)).WithTrackingName(ReadStep);
        OldLanguage.Report(context, read, files, old);
        var imported = files.Combine(old).Select(static (input, _) => OldLanguage.Leave(input.Left, input.Right));
        var contracts = read.Collect().Combine(old).Combine(imported).Select(static (input, _) => new EquatableArray<ContractModel>(
            [.. input.Left.Left.Select(contract => OldLanguage.Leave(contract, input.Left.Right)), .. input.Right.Contracts]));

        // Separate from the models: an added line above a mistake moves the diagnostic, but must not affect generated code.
        var diagnostics = contracts.SelectMany(static (all, _) => all.SelectMany(static contract => contract.Diagnostics).Distinct())
            .WithTrackingName(DiagnosticsStep);
        var recorded = RecordedFiles(context);
        var isPublished = context.CompilationProvider.Select(static (compilation, _) => compilation.HasDescriptions())
            .Combine(recorded.Select(static (check, _) => check.IsOn))
            .Select(static (input, _) => input.Left || input.Right);
        var told = diagnostics.Combine(isPublished).Combine(context.CompilationProvider);
        context.RegisterSourceOutput(told, static (output, found) =>
            output.ReportDiagnostic(found.Left.Left.ToDiagnostic(found.Right, found.Left.Right)));

        // Separate, because hardly any edit of a contract changes it.
        var services = contracts.Select(static (all, _) => new EquatableArray<ServiceModel>(
            [.. all.Select(static contract => contract.Service).OfType<ServiceModel>()]));
        var registered = services.Select(static (all, _) => new EquatableArray<RegisteredModel>(
            [.. all.Select(static service => new RegisteredModel(service.InterfaceName, service.Container))])).WithTrackingName(RegistrationStep);
        context.RegisterSourceOutput(registered.Combine(assembly), static (output, input) => EmitRegistration(output, input.Left, input.Right));

        // Collected to be named, described and compared, then split again, so that an edit emits only the files that it changes.
        var isDescribed = context.AnalyzerConfigOptionsProvider.Select(static (options, _) =>
            !options.GlobalOptions.TryGetValue(Descriptions.Property, out var value) || !string.Equals(value, "false", StringComparison.OrdinalIgnoreCase));
        ImportSteps.Emit(context, imported, assembly, isDescribed);
        var messages = contracts.Select(static (all, _) => CodeContracts.Distinct(all.SelectMany(static contract => contract.Messages)));
        var graph = messages.Combine(isDescribed).Select(static (input, _) => input.Right ? new MessageGraph(input.Left) : null);
        var describedMessages = messages.Combine(graph).Select(static (input, _) => input.Right is { } all ? Descriptions.AddTo(input.Left, all) : input.Left);
        var described = services.Combine(graph).Select(static (input, _) => input.Right is { } all ? Descriptions.AddTo(input.Left, all) : input.Left);
        var serviceFiles = described.SelectMany(static (all, _) => FileNames.Assign(all, static service => service.Container)).WithTrackingName(ServicesStep);
        context.RegisterSourceOutput(serviceFiles.Combine(assembly), static (output, input) =>
            output.AddSource(input.Left.Name, ServiceEmitter.EmitFile(input.Left.Model, input.Right)));

        var shared = ImportSteps.JoinMessages(describedMessages, imported, isDescribed).Select(static (all, _) => SharedEntries.Of(FlatMessages.Mark(all)));
        var messageFiles = shared.SelectMany(static (all, _) => CodecFile.Assign(all.Messages)).WithTrackingName(MessagesStep);
        var entryFiles = shared.SelectMany(static (all, _) => FileNames.Assign(all.Entries, static entry => entry.Message.Codec));
        context.RegisterSourceOutput(entryFiles.Combine(assembly), static (output, input) =>
            output.AddSource(input.Left.Name, EnvelopeEmitter.EmitFile(input.Left.Model, input.Right)));
        context.RegisterSourceOutput(messageFiles.Combine(assembly), static (output, input) =>
            output.AddSource(input.Left.Name, CodecEmitter.EmitFile(input.Left, input.Right)));

        // Contracts with mistakes would seem to be gone.
        var isWhole = contracts.Select(static (all, _) => all.All(static contract => contract.Service is not null)).Combine(imported).Combine(old)
            .Select(static (input, _) => input is { Left: { Left: true, Right.HasErrors: false }, Right: null });
        var parts = imported.Select(static (model, _) => model.Parts);
        var code = described.Combine(describedMessages).Combine(parts).Combine(isWhole);
        var settings = context.AnalyzerConfigOptionsProvider.Select(static (options, _) => ContractSettings.Read(options.GlobalOptions));
        var compared = recorded.Combine(code).Combine(settings)
            .Select(static (input, _) => input.Right.IsOn && input.Left.Left.IsOn && input.Left.Right is { Left: var ((all, reached), others), Right: true }
                ? input.Left.Left.Run(new CodeContracts(all, reached, others), input.Right) : ContractFindings.None);
        var changes = compared.SelectMany(static (found, _) => found.Changes).WithTrackingName(ContractsStep);
        context.RegisterSourceOutput(changes.Combine(context.CompilationProvider), static (output, found) =>
            output.ReportDiagnostic(found.Left.ToDiagnostic(found.Right)));
        var added = compared.SelectMany(static (found, _) => found.Added).Combine(context.CompilationProvider);
        context.RegisterSourceOutput(added, static (output, found) =>
        {
            foreach (var diagnostic in found.Left.ToDiagnostics(found.Right, output.CancellationToken)) output.ReportDiagnostic(diagnostic);
        });
    }

    private static IncrementalValueProvider<ContractCheck> RecordedFiles(IncrementalGeneratorInitializationContext context) =>
        context.AdditionalTextsProvider.Where(static file => ContractFile.Is(file.Path)).Select(ContractFile.Read).Collect()
            .Select(static (all, _) => new ContractCheck(new EquatableArray<ContractFile>(all)));

    private static void EmitRegistration(SourceProductionContext output, EquatableArray<RegisteredModel> services, string assembly)
    {
        if (services.Count > 0) output.AddSource(FileNames.Registration, RegistrationEmitter.EmitFile(services, assembly));
    }
}
