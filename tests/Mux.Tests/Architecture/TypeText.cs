using System.Reflection;

namespace Mux.Tests.Architecture;

/// <summary>Types as source code names them.</summary>
internal static class TypeText
{
    private static readonly Dictionary<Type, string> s_keywords = new()
    {
        [typeof(void)] = "void",
        [typeof(bool)] = "bool",
        [typeof(byte)] = "byte",
        [typeof(sbyte)] = "sbyte",
        [typeof(short)] = "short",
        [typeof(ushort)] = "ushort",
        [typeof(int)] = "int",
        [typeof(uint)] = "uint",
        [typeof(long)] = "long",
        [typeof(ulong)] = "ulong",
        [typeof(float)] = "float",
        [typeof(double)] = "double",
        [typeof(decimal)] = "decimal",
        [typeof(char)] = "char",
        [typeof(string)] = "string",
        [typeof(object)] = "object",
    };

    public static string Of(Type type, NullabilityInfo? nullability = null)
    {
        if (type.IsByRef) return "ref " + Of(type.GetElementType()!, nullability);
        if (Nullable.GetUnderlyingType(type) is { } underlying) return Of(underlying, nullability?.GenericTypeArguments.ElementAtOrDefault(0)) + "?";
        var name = type.IsArray ? Of(type.GetElementType()!, nullability?.ElementType) + "[]" : Name(type, nullability);
        return !type.IsValueType && nullability?.ReadState == NullabilityState.Nullable ? name + "?" : name;
    }

    /// <summary>The modifiers and name of a generic parameter's constraints, or nothing.</summary>
    public static string Constraints(Type[] parameters) => string.Concat(parameters.Select(Constraint));

    private static string Name(Type type, NullabilityInfo? nullability)
    {
        if (s_keywords.TryGetValue(type, out var keyword)) return keyword;
        if (type.IsGenericParameter) return type.Name;
        var name = type.Name.Split('`')[0];
        var arguments = type.GetGenericArguments();
        if (type.DeclaringType is { } declaring)
        {
            name = $"{declaring.Name.Split('`')[0]}.{name}";
            arguments = arguments[declaring.GetGenericArguments().Length..];
        }

        if (arguments.Length == 0) return name;
        return $"{name}<{string.Join(", ", arguments.Select((argument, index) => Of(argument, nullability?.GenericTypeArguments.ElementAtOrDefault(index))))}>";
    }

    private static string Constraint(Type parameter)
    {
        var attributes = parameter.GenericParameterAttributes;
        var parts = new List<string>();
        if (attributes.HasFlag(GenericParameterAttributes.NotNullableValueTypeConstraint)) parts.Add("struct");
        if (attributes.HasFlag(GenericParameterAttributes.ReferenceTypeConstraint)) parts.Add("class");
        parts.AddRange(parameter.GetGenericParameterConstraints().Where(constraint => constraint != typeof(ValueType)).Select(constraint => Of(constraint)));
        if (attributes.HasFlag(GenericParameterAttributes.DefaultConstructorConstraint) && !parts.Contains("struct")) parts.Add("new()");
        if (attributes.HasFlag(GenericParameterAttributes.AllowByRefLike)) parts.Add("allows ref struct");
        return parts.Count == 0 ? string.Empty : $" where {parameter.Name} : {string.Join(", ", parts)}";
    }
}
