using System.Collections.Immutable;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;
using Mux.Generators.Emitting;
using Mux.Generators.Models;
using Mux.Generators.Reading;

namespace Mux.Generators;

/// <summary>
/// Turns every [MuxService] interface into a proxy, a description for the server and codecs for its messages. Symbols are read in the
/// first step only; everything behind it is values, so that an edit elsewhere runs nothing again.
/// </summary>
[Generator(LanguageNames.CSharp)]
public sealed class MuxGenerator : IIncrementalGenerator
{
    /// <summary>Names of the steps, for tests that look at what ran again.</summary>
    internal const string ServicesStep = "Services";
    internal const string MessagesStep = "Messages";
    internal const string DiagnosticsStep = "Diagnostics";

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        var assembly = context.CompilationProvider.Select(static (compilation, _) => SymbolText.ToIdentifier(compilation.AssemblyName ?? "Assembly"));
        var contracts = context.SyntaxProvider.ForAttributeWithMetadataName(
            WellKnownNames.MuxService,
            static (node, _) => node is InterfaceDeclarationSyntax,
            static (found, cancellationToken) => ContractReader.Read((INamedTypeSymbol)found.TargetSymbol, found.SemanticModel.Compilation, cancellationToken));

        // Apart from the models: a line more above a mistake moves it, and must not touch what is generated.
        var diagnostics = contracts.SelectMany(static (contract, _) => contract.Diagnostics).Collect().SelectMany(static (all, _) => all.Distinct())
            .WithTrackingName(DiagnosticsStep);
        context.RegisterSourceOutput(diagnostics.Combine(context.CompilationProvider), static (output, found) => output.ReportDiagnostic(found.Left.ToDiagnostic(found.Right)));

        var services = contracts.Where(static contract => contract.Service is not null).Select(static (contract, _) => contract.Service!).Collect()
            .Select(static (all, _) => new EquatableArray<ServiceModel>(all)).WithTrackingName(ServicesStep);
        context.RegisterSourceOutput(services.Combine(assembly), static (output, input) => EmitServices(output, input.Left, input.Right));

        var messages = contracts.SelectMany(static (contract, _) => contract.Messages).Collect()
            .Select(static (all, _) => FlatMessages.Mark(Distinct(all))).WithTrackingName(MessagesStep);
        context.RegisterSourceOutput(messages.Combine(assembly), static (output, input) => EmitMessages(output, input.Left, input.Right));
    }

    // Two contracts that reach the same message share its codec.
    private static EquatableArray<MessageModel> Distinct(ImmutableArray<MessageModel> messages)
    {
        return new([.. messages.GroupBy(static message => message.Codec, StringComparer.Ordinal).Select(static group => group.First())]);
    }

    private static void EmitServices(SourceProductionContext output, EquatableArray<ServiceModel> services, string assembly)
    {
        if (services.Count == 0) return;
        var files = new FileNames();
        output.AddSource(files.For("Registration"), ToText(RegistrationEmitter.EmitFile(services, assembly)));
        foreach (var service in services) output.AddSource(files.For(service.Container), ToText(ServiceEmitter.EmitFile(service, assembly)));
    }

    private static void EmitMessages(SourceProductionContext output, EquatableArray<MessageModel> messages, string assembly)
    {
        var files = new FileNames();
        foreach (var message in messages) output.AddSource(files.For(message.Codec), ToText(CodecEmitter.EmitFile(message, assembly)));
    }

    private static SourceText ToText(string source) => SourceText.From(source, Encoding.UTF8);
}
