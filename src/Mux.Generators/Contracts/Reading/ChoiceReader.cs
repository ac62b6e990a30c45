using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Reads the choices of one contract for its methods: a method's choice, or its service's.</summary>
internal sealed class ChoiceReader
{
    // A new option is a row here, a property of MuxChoicesAttribute and a property of MethodChoices.
    private static readonly Choice[] s_choices =
    [
        Choice.Member("Dispatch", "MuxDispatchMode", "Default", "Inline", "Pool", "Adaptive", "Ordered", "Serial") with { ZeroInherits = true },
        Choice.Positive("TimeoutMilliseconds", "Timeout", static value => $"global::System.TimeSpan.FromMilliseconds({value})"),
        Choice.Member("Priority", "MuxCallPriority", "Normal", "High", "Low"),
        Choice.Flag("Idempotent"),
        Choice.Positive("MaxMessageBytes", "MaxMessageBytes", static value => value),
    ];

    private readonly AttributeData _service;
    private readonly Findings _findings;

    public ChoiceReader(INamedTypeSymbol contract, AttributeData service, Findings findings)
    {
        _service = service;
        _findings = findings;
        Check(contract, service);
    }

    /// <param name="method">The method.</param>
    /// <param name="own">Its attribute; null if it has none.</param>
    public ChoicesModel Read(IMethodSymbol method, AttributeData? own)
    {
        if (own is not null) Check(method, own);
        var assignments = ImmutableArray.CreateBuilder<string>();
        foreach (var choice in s_choices)
        {
            var value = choice.In(own);
            if (value is null || (value == 0 && choice.ZeroInherits)) value = choice.In(_service) ?? 0;
            if (choice.Assign(value.Value) is { } assignment) assignments.Add(assignment);
        }

        return new ChoicesModel(new EquatableArray<string>(assignments.ToImmutable()));
    }

    private void Check(ISymbol symbol, AttributeData attribute)
    {
        foreach (var choice in s_choices)
        {
            if (choice.In(attribute) is { } value && (value < choice.Least || value > choice.Most))
                _findings.Report(MuxDiagnostics.Choice, symbol, symbol.ToDisplay(), choice.Option, Choice.Text(value), choice.Range);
        }
    }
}
