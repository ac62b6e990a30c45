using System.Reflection;
using ProtoBuf;

namespace Mux.Serialization.Oracles.Trees;

/// <summary>What a class of ours is beyond its members: derived from others, or written as another.</summary>
internal static class ContractClass
{
    /// <summary>The classes from the first base to this one, each with the number by which its base knows it; the first has none.</summary>
    public static List<(int Number, Type Class)> ChainOf(Type type)
    {
        var chain = new List<(int Number, Type Class)>();
        for (; type.BaseType is { } parent && NumberOf(parent, type) is { } number; type = parent) chain.Insert(0, (number, type));
        chain.Insert(0, (0, type));
        return chain;
    }

    /// <summary>The classes that a tree names, from the declared one to that of the object, with what it says of each.</summary>
    public static List<(Type Class, FieldTree Tree, int Number)> ChainOf(Type declared, FieldTree tree)
    {
        var chain = new List<(Type Class, FieldTree Tree, int Number)> { (declared, tree, 0) };
        while (declared.GetCustomAttributes<ProtoIncludeAttribute>(inherit: false).FirstOrDefault(include => chain[^1].Tree.Fields.ContainsKey(include.Tag)) is { } found)
        {
            declared = found.KnownType;
            chain.Add((declared, (FieldTree)chain[^1].Tree.Fields[found.Tag], found.Tag));
        }

        return chain;
    }

    /// <summary>The type as which objects of this one are written; null for itself.</summary>
    public static Type? SurrogateOf(Type type) => type.GetCustomAttribute<ProtoContractAttribute>()?.Surrogate;

    /// <summary>Converts between a type and its surrogate, by the operator that the type has for it.</summary>
    /// <param name="owner">Which has the operators.</param>
    public static object Convert(Type owner, object value, Type to)
    {
        var conversion = owner.GetMethods(BindingFlags.Public | BindingFlags.Static).Single(method =>
            method.Name is "op_Implicit" or "op_Explicit" && method.ReturnType == to && method.GetParameters()[0].ParameterType == value.GetType());
        return conversion.Invoke(null, [value])!;
    }

    private static int? NumberOf(Type parent, Type type) => parent.GetCustomAttributes<ProtoIncludeAttribute>(inherit: false).FirstOrDefault(include => include.KnownType == type)?.Tag;
}
