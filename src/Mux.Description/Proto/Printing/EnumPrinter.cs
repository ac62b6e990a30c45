namespace Mux.Description.Proto.Printing;

/// <summary>Writes enums.</summary>
internal static class EnumPrinter
{
    public static void Print(ProtoText text, ProtoEnum declared, ProtoSyntax syntax)
    {
        bool isEdition = syntax == ProtoSyntax.Edition2023;
        text.Gap().Comment(declared.Comment).Block($"enum {declared.Name}", () =>
        {
            if (declared.AllowsAliases) text.Line("option allow_alias = true;");
            if (declared.IsDeprecated) text.Line("option deprecated = true;");
            if (isEdition && declared.IsClosed) text.Line("option features.enum_type = CLOSED;");
            if (declared.Reserved.Count > 0) text.Line($"reserved {ProtoLiteral.Ranges(declared.Reserved, int.MaxValue)};");
            if (ProtoLiteral.Names(declared.ReservedNames, isEdition) is { Length: > 0 } names) text.Line($"reserved {names};");
            foreach (var value in declared.Values)
                text.Comment(value.Comment).Line($"{value.Name} = {value.Number}{(value.IsDeprecated ? " [deprecated = true]" : string.Empty)};");
        });
    }
}
