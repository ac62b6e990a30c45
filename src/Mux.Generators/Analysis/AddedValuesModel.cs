using Microsoft.CodeAnalysis;
using Mux.Description.Proto.Comparing;
using Mux.Generators.Diagnostics;

namespace Mux.Generators.Analysis;

/// <summary>Values that the code added to a recorded enum.</summary>
/// <param name="Element">Name of the enum.</param>
/// <param name="Values">The C# constants. A name of protobuf may stand for several; those that are not there are none.</param>
internal sealed record AddedValuesModel(string Element, EquatableArray<ContractPlace> Values)
{
    /// <summary>Warns at each switch of the project that does not expect one of them. Only here is the code searched for switches.</summary>
    public IEnumerable<Diagnostic> ToDiagnostics(Compilation compilation, CancellationToken cancellationToken)
    {
        var constants = Values.Select(place => place.FindConstant(compilation)).OfType<IFieldSymbol>()
            .Distinct<IFieldSymbol>(SymbolEqualityComparer.Default).ToList();
        foreach (var (place, missing) in EnumSwitches.Find(compilation, constants, cancellationToken))
        {
            var others = missing.SelectMany(static value => value.Locations).Where(static location => location.IsInSource);
            var more = missing.Count == 1 ? string.Empty : $" and {missing.Count - 1} more";
            yield return Diagnostic.Create(
                ContractDiagnostics.Of((int)ContractRule.EnumValue), place, DiagnosticSeverity.Warning, others, null,
                Element, $"was recorded without '{missing[0].Name}'{more} and is used in a switch without a case for it", "add a case or a default");
        }
    }
}
