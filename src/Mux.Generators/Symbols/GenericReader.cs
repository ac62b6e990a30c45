using Microsoft.CodeAnalysis;

namespace Mux.Generators.Symbols;

/// <summary>Reads the declarations that the runtime needs to access inaccessible members of a generic type.</summary>
internal static class GenericReader
{
    /// <summary>Reads the generic parts; null if the type is not generic.</summary>
    public static GenericModel? Read(INamedTypeSymbol type)
    {
        if (!type.IsGenericType) return null;
        var types = new List<INamedTypeSymbol>();
        for (var outer = type; outer is not null; outer = outer.ContainingType) types.Insert(0, outer);
        var parameters = types.SelectMany(static outer => outer.TypeParameters).ToList();
        return new GenericModel(
            string.Join(", ", parameters.Select(static parameter => SymbolText.Escape(parameter.Name))),
            string.Join(", ", types.SelectMany(static outer => outer.TypeArguments).Select(static argument => argument.ToCode())),
            string.Concat(parameters.Select(ConstraintOf)),
            type.OriginalDefinition.ToBareCode());
    }

    private static string ConstraintOf(ITypeParameterSymbol parameter)
    {
        var kind = parameter switch
        {
            { HasUnmanagedTypeConstraint: true } => "unmanaged",
            { HasValueTypeConstraint: true } => "struct",
            { HasReferenceTypeConstraint: true } => "class",
            { HasNotNullConstraint: true } => "notnull",
            _ => null,
        };
        var constraints = parameter.ConstraintTypes.Select(static type => type.ToCode()).ToList();
        if (kind is not null) constraints.Insert(0, kind);
        if (parameter.HasConstructorConstraint) constraints.Add("new()");
        return constraints.Count == 0 ? string.Empty : $" where {SymbolText.Escape(parameter.Name)} : {string.Join(", ", constraints)}";
    }
}
