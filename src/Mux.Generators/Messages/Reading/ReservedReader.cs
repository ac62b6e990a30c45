using Microsoft.CodeAnalysis;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Reads [ProtoReserved], with the numbers and names of removed members.</summary>
internal static class ReservedReader
{
    public static EquatableArray<ReservedModel> Read(INamedTypeSymbol type) => new([.. type.GetAttributes().Select(Read).OfType<ReservedModel>()]);

    private static ReservedModel? Read(AttributeData attribute)
    {
        if (attribute.FullName() != WellKnownNames.ProtoReserved) return null;
        var numbers = attribute.ConstructorArguments.Select(static argument => argument.Value).OfType<int>().ToList();
        if (numbers.Count > 0) return new ReservedModel(numbers[0], numbers[numbers.Count - 1], null);
        return attribute.ConstructorArguments.FirstOrDefault().Value is string name ? new ReservedModel(0, 0, name) : null;
    }
}
