using System.Globalization;
using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Reads how many calls of a method its handler takes together.</summary>
internal sealed class BatchReader(INamedTypeSymbol contract, Findings findings)
{
    private const int MostCalls = 1024;

    /// <returns>The most calls of a batch; 0 if the method has none.</returns>
    public int Read(IMethodSymbol method, AttributeData? attribute, MethodModel model)
    {
        if (attribute?.Number("Batched") is not { } calls) return 0;
        if (ProblemOf(calls, method, model) is not { } problem) return calls;
        findings.Report(OrderDiagnostics.Batch, method, method.ToDisplay(), calls.ToString(CultureInfo.InvariantCulture), problem);
        return 0;
    }

    private string? ProblemOf(int calls, IMethodSymbol method, MethodModel model)
    {
        if (calls is < 1 or > MostCalls) return "a batch has 1 to 1024 calls";
        if (model.IsStreamed) return "a method with a stream or with callbacks is not called in batches";
        if (model.OneWay) return "calls of a one-way method have no results; let a client send several items with one call";
        bool keepsOrder = OrderReader.IsOrdered(model.Choices) || OrderReader.IsSerial(model.Choices);
        if (keepsOrder) return "calls that run one after the other are not called together; set another Dispatch";
        if (model.Sent.Count() != 1) return $"it takes {model.Sent.Count()} arguments; combine them in one message";
        bool isBesideNothing = contract.ContainingType is not null || contract.ContainingNamespace.IsGlobalNamespace;
        if (isBesideNothing) return "its contract must be in a namespace, and in no other type";
        var name = contract.Name + "Batch";
        // A code fix reads contracts after the interface was generated.
        bool isTaken = contract.ContainingNamespace.GetTypeMembers(name, arity: 0)
            .Any(static type => !type.HasAttribute(WellKnownNames.GeneratedCode));
        if (isTaken)
        {
            return $"the namespace of its contract has a type '{name}', which is the name of the generated interface; " +
                "rename one of them";
        }

        return method.ContainingType.TypeArguments.Length > 0 ? "it is inherited from a generic interface" : null;
    }
}
