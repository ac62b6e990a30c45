using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
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
        var read = context.SyntaxProvider.ForAttributeWithMetadataName(
            WellKnownNames.MuxService,
            static (node, _) => node is InterfaceDeclarationSyntax,
            static (found, cancellationToken) => ContractCache.Read(
                (INamedTypeSymbol)found.TargetSymbol, found.SemanticModel.Compilation, isWithImports: false, cancellationToken))
            .WithTrackingName(ReadStep);
        OldLanguage.Report(context, read, files, old);
        var imported = files.Combine(old).Select(static (input, _) => OldLanguage.Leave(input.Left, input.Right));
        var own = read.Combine(old).Select(static (input, _) => OldLanguage.Leave(input.Left, input.Right));
        var contracts = ImportSteps.Join(context, own, imported);

        // Separate from the models: an added line above a mistake moves the diagnostic, but must not affect generated code.
        var diagnostics = contracts.SelectMany(static (contract, _) => contract.Diagnostics).Collect().SelectMany(static (all, _) => all.Distinct())
            .WithTrackingName(DiagnosticsStep);
        var recorded = RecordedFiles(context);
        var isPublished = context.CompilationProvider.Select(static (compilation, _) => compilation.HasDescriptions())
            .Combine(recorded.Select(static (check, _) => check.IsOn))
            .Select(static (input, _) => input.Left || input.Right);
        var told = diagnostics.Combine(isPublished).Combine(context.CompilationProvider);
        context.RegisterSourceOutput(told, static (output, found) =>
            output.ReportDiagnostic(found.Left.Left.ToDiagnostic(found.Right, found.Left.Right)));

        // Separate, because hardly any edit of a contract changes it.
        var services = contracts.Where(static contract => contract.Service is not null).Select(static (contract, _) => contract.Service!);
        var registered = services.Select(static (service, _) => new RegisteredModel(service.InterfaceName, service.Container)).Collect()
            .Select(static (all, _) => new EquatableArray<RegisteredModel>(all)).WithTrackingName(RegistrationStep);
        context.RegisterSourceOutput(registered.Combine(assembly), static (output, input) => EmitRegistration(output, input.Left, input.Right));

        // Collected to be named, described and compared, then split again, so that an edit emits only the files that it changes.
        var isDescribed = context.AnalyzerConfigOptionsProvider.Select(static (options, _) =>
            !options.GlobalOptions.TryGetValue(Descriptions.Property, out var value) || !string.Equals(value, "false", StringComparison.OrdinalIgnoreCase));
        ImportSteps.Emit(context, imported, assembly, isDescribed);
        var messages = contracts.SelectMany(static (contract, _) => contract.Messages).Collect().Select(static (all, _) => CodeContracts.Distinct(all));
        var describedMessages = messages.Combine(isDescribed).Select(static (input, _) => input.Right ? Descriptions.AddTo(input.Left) : input.Left);
        var described = services.Collect().Select(static (all, _) => new EquatableArray<ServiceModel>(all)).Combine(messages).Combine(isDescribed)
            .Select(static (input, _) => input.Right ? Descriptions.AddTo(input.Left.Left, input.Left.Right) : input.Left.Left);
        var serviceFiles = described.SelectMany(static (all, _) => FileNames.Assign(all, static service => service.Container)).WithTrackingName(ServicesStep);
        context.RegisterSourceOutput(serviceFiles.Combine(assembly), static (output, input) =>
            output.AddSource(input.Left.Name, ServiceEmitter.EmitFile(input.Left.Model, input.Right)));

        var shared = ImportSteps.JoinMessages(describedMessages, imported, isDescribed).Select(static (all, _) => SharedEntries.Of(FlatMessages.Mark(all)));
        var messageFiles = shared.SelectMany(static (all, _) => FileNames.Assign(all.Messages, static message => message.Codec)).WithTrackingName(MessagesStep);
        var entryFiles = shared.SelectMany(static (all, _) => FileNames.Assign(all.Entries, static entry => entry.Message.Codec));
        context.RegisterSourceOutput(entryFiles.Combine(assembly), static (output, input) =>
            output.AddSource(input.Left.Name, EnvelopeEmitter.EmitFile(input.Left.Model, input.Right)));
        context.RegisterSourceOutput(messageFiles.Combine(assembly), static (output, input) =>
            output.AddSource(input.Left.Name, CodecEmitter.EmitFile(input.Left.Model, input.Right)));

        // Contracts with mistakes would seem to be gone.
        var isWhole = contracts.Where(static contract => contract.Service is null).Collect().Combine(imported).Combine(old)
            .Select(static (input, _) => input is { Left: { Left.IsEmpty: true, Right.HasErrors: false }, Right: null });
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
