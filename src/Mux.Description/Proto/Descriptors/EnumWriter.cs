namespace Mux.Description.Proto.Descriptors;

/// <summary>Writes enums, and what enums and messages have in common.</summary>
internal static class EnumWriter
{
    public static WireWriter Write(ProtoEnum declared, ProtoSyntax syntax)
    {
        var bytes = new WireWriter().Text(1, declared.Name);
        foreach (var value in declared.Values)
            bytes.Message(2, new WireWriter().Text(1, value.Name).Number(2, value.Number).Options(3, new WireWriter().Flag(1, value.IsDeprecated)));
        var options = new WireWriter().Flag(2, declared.AllowsAliases).Flag(3, declared.IsDeprecated);
        if (syntax == ProtoSyntax.Edition2023 && declared.IsClosed)
            options.Message(FeatureSet.OfEnum, new WireWriter().Number(FeatureSet.EnumField, FeatureSet.Closed));
        bytes.Options(3, options);
        foreach (var range in declared.Reserved) bytes.Message(4, new WireWriter().Number(1, range.First).Number(2, range.Last));
        foreach (var name in declared.ReservedNames) bytes.Text(5, name);
        return bytes;
    }
}
