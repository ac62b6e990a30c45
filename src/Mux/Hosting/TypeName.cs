namespace Mux.Hosting;

/// <summary>Writes types as in C#, without their namespaces.</summary>
internal static class TypeName
{
    public static string Of(Type type)
    {
        if (!type.IsGenericType) return Keyword(type) ?? type.Name;
        int end = type.Name.IndexOf('`', StringComparison.Ordinal); // none for a type within a generic one
        var arguments = string.Join(", ", type.GetGenericArguments().Select(Of));
        return $"{(end < 0 ? type.Name : type.Name[..end])}<{arguments}>";
    }

    private static string? Keyword(Type type) => type.IsEnum ? null : Type.GetTypeCode(type) switch
    {
        TypeCode.String => "string",
        TypeCode.Int32 => "int",
        TypeCode.Int64 => "long",
        TypeCode.Boolean => "bool",
        TypeCode.Double => "double",
        TypeCode.Decimal => "decimal",
        _ => null,
    };
}
