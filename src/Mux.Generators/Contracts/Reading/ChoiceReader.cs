using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Reads how the methods of one contract run and travel: a method's choice, else its service's.</summary>
internal sealed class ChoiceReader
{
    private const string DispatchOption = "Dispatch";
    private const string TimeoutOption = "TimeoutMilliseconds";
    private const string PriorityOption = "Priority";
    private const string IdempotentOption = "Idempotent";
    private const string MaxMessageOption = "MaxMessageBytes";

    // By their values.
    private static readonly string[] s_dispatches = ["Default", "Inline", "Pool", "Adaptive"];
    private static readonly string[] s_priorities = ["Normal", "High", "Low"];

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
        int dispatch = own?.Number(DispatchOption) is > 0 and var chosen ? chosen : _service.Number(DispatchOption) ?? 0;
        return new ChoicesModel(
            NameOf(s_dispatches, dispatch),
            NumberOf(own, TimeoutOption),
            NameOf(s_priorities, NumberOf(own, PriorityOption)),
            own?.Argument(IdempotentOption) as bool? ?? _service.Flag(IdempotentOption),
            NumberOf(own, MaxMessageOption));
    }

    // Zero is a choice where it was written: a normal priority among high ones.
    private int NumberOf(AttributeData? own, string option) => own?.Number(option) ?? _service.Number(option) ?? 0;

    private static string NameOf(string[] names, int value) => names[value >= 0 && value < names.Length ? value : 0];

    private void Check(ISymbol symbol, AttributeData attribute)
    {
        const string positive = "it takes 1 to 2147483647; leave it out for what holds otherwise";
        CheckRange(symbol, attribute, TimeoutOption, 1, int.MaxValue, positive);
        CheckRange(symbol, attribute, MaxMessageOption, 1, int.MaxValue, positive);
        CheckRange(symbol, attribute, DispatchOption, 0, s_dispatches.Length - 1, "it takes the members of MuxDispatchMode");
        CheckRange(symbol, attribute, PriorityOption, 0, s_priorities.Length - 1, "it takes the members of MuxCallPriority");
    }

    private void CheckRange(ISymbol symbol, AttributeData attribute, string option, int from, int to, string reason)
    {
        if (attribute.Number(option) is not { } value || (value >= from && value <= to)) return;
        _findings.Report(MuxDiagnostics.Choice, symbol, symbol.ToDisplay(), option, value.ToString(System.Globalization.CultureInfo.InvariantCulture), reason);
    }
}
