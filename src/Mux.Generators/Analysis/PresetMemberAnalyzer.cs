using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>
/// Finds members of messages that a constructor or initializer presets to a value other than the omitted one. When the omitted value is sent, the reader gets
/// the preset value instead.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class PresetMemberAnalyzer : DiagnosticAnalyzer
{
    /// <summary>Property of a diagnostic with the C# expression of the preset value, if that is a constant.</summary>
    internal const string PresetProperty = "Preset";

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [AnalyzerDiagnostics.Preset];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.HasContracts()) start.RegisterSymbolAction(Analyze, SymbolKind.NamedType);
        });
    }

    private static void Analyze(SymbolAnalysisContext context)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        if (type.TypeKind is not (TypeKind.Class or TypeKind.Struct) || MessageContract.Of(type) is not { Surrogate: null } contract) return;
        Report(context, new PresetMembers(type, contract, context.Compilation));
    }

    private static void Report(SymbolAnalysisContext context, PresetMembers presets)
    {
        foreach (var (member, omitted, preset) in presets.Find(context.CancellationToken))
        {
            var properties = ImmutableDictionary<string, string?>.Empty;
            if (preset.Expression is { } expression) properties = properties.Add(PresetProperty, expression);
            var place = preset.Syntax?.GetLocation() ?? member.Locations[0];
            context.ReportDiagnostic(
                Diagnostic.Create(AnalyzerDiagnostics.Preset, place, [member.Locations[0]], properties, member.ToDisplay(), omitted.Text, preset.Text));
        }
    }
}
