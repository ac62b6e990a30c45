using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>Finds interfaces that are served or called but are no contracts, because the attribute was forgotten.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class ForgottenContractAnalyzer : DiagnosticAnalyzer
{
    /// <summary>The full names of the methods whose first type argument is a contract.</summary>
    internal static HashSet<string> Methods { get; } = new(StringComparer.Ordinal)
    {
        "Mux.MuxChannel.CreateProxy",
        "Mux.MuxServer.AddService",
        "Mux.MuxServer.AddServiceFrom",
        "Mux.DependencyInjection.IMuxClientBuilder.AddProxy",
        "Mux.DependencyInjection.IMuxServerBuilder.AddService",
        "Mux.DependencyInjection.IMuxServerBuilder.AddScopedService",
    };

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [AnalyzerDiagnostics.ForgottenContract];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterOperationAction(Analyze, OperationKind.Invocation);
    }

    private static void Analyze(OperationAnalysisContext context)
    {
        var invocation = (IInvocationOperation)context.Operation;
        var method = invocation.TargetMethod;
        if (method.TypeArguments.Length == 0 || method.TypeArguments[0] is not INamedTypeSymbol { TypeKind: TypeKind.Interface } contract) return;
        if (!Methods.Contains($"{method.ContainingType.ToFullName()}.{method.Name}") || contract.HasAttribute(WellKnownNames.MuxService)) return;
        context.ReportDiagnostic(Diagnostic.Create(AnalyzerDiagnostics.ForgottenContract, PlaceOf(invocation), contract.ToDisplay(), method.Name));
    }

    // The type argument that names the interface, if there is one.
    private static Location PlaceOf(IInvocationOperation invocation)
    {
        var name = (invocation.Syntax as InvocationExpressionSyntax)?.Expression switch
        {
            MemberAccessExpressionSyntax access => access.Name,
            MemberBindingExpressionSyntax binding => binding.Name,
            SimpleNameSyntax simple => simple,
            _ => null,
        };
        return name is GenericNameSyntax generic ? generic.TypeArgumentList.Arguments[0].GetLocation() : (name ?? invocation.Syntax).GetLocation();
    }
}
