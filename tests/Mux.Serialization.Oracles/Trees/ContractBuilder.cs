using System.Reflection;
using System.Runtime.CompilerServices;
using Google.Protobuf.Reflection;
using Mux.Serialization.Oracles.Protos;
using Mux.Serialization.Oracles.Values;

namespace Mux.Serialization.Oracles.Trees;

/// <summary>Makes objects of contracts of ours that say what a tree says, as a user would: by constructors and setters, without anything that reads bytes.</summary>
public static class ContractBuilder
{
    /// <param name="contract">A contract, or the type of a bare value.</param>
    /// <param name="tree">What it says.</param>
    /// <param name="descriptor">The same message in Google's world.</param>
    public static object Build(Type contract, FieldTree tree, MessageDescriptor descriptor)
    {
        if (ContractMember.Of(contract).Length == 0) return BuildBare(contract, tree, descriptor.FindFieldByNumber(1));
        var chain = ContractClass.ChainOf(contract, tree);
        var instance = Create(chain[^1].Class, chain[^1].Tree, descriptor);
        foreach (var (type, part, number) in chain)
        {
            if (number != 0) descriptor = descriptor.FindFieldByNumber(number).MessageType;
            foreach (var member in ContractMember.Of(type))
            {
                if (part.Fields.TryGetValue(member.Number, out var value)) member.Set(instance, Convert(member.Type, value, descriptor.FindFieldByNumber(member.Number)));
            }
        }

        return instance;
    }

    private static object BuildBare(Type type, FieldTree tree, FieldDescriptor field) =>
        Convert(type, tree.Fields.GetValueOrDefault(1, field.IsMap ? new MapEntries([]) : new List<object>()), field)!;

    private static object Create(Type contract, FieldTree tree, MessageDescriptor descriptor)
    {
        const BindingFlags all = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        if (contract.IsValueType || contract.GetConstructor(all, []) is not null) return Activator.CreateInstance(contract, nonPublic: true)!;
        var constructor = contract.GetConstructors().MaxBy(static constructor => constructor.GetParameters().Length)!;
        return constructor.Invoke([.. constructor.GetParameters().Select(parameter =>
        {
            var member = ContractMember.Of(contract).Single(member => string.Equals(member.Name, parameter.Name, StringComparison.OrdinalIgnoreCase));
            return tree.Fields.TryGetValue(member.Number, out var value) ? Convert(member.Type, value, descriptor.FindFieldByNumber(member.Number)) : Zero(member.Type);
        })]);
    }

    private static object? Zero(Type type) => type.IsValueType && Nullable.GetUnderlyingType(type) is null ? RuntimeHelpers.GetUninitializedObject(type) : null;

    private static object? Convert(Type declared, object value, FieldDescriptor field)
    {
        var type = Nullable.GetUnderlyingType(declared) ?? declared;
        var hints = FieldHints.Of(field);
        switch (value)
        {
            case MapEntries map:
                return MapBuilder.Build(type, map.Items.Select(entry => (ConvertKey(type, entry.Key, field), ConvertValue(type, entry.Value, field))));
            case List<object> pairs when CollectionBuilder.MapOf(type) is not null:
                return MapBuilder.Build(type, pairs.Select(pair => Pair(type, (FieldTree)pair, field.MessageType)));
            case List<object> items:
                return CollectionBuilder.Build(type, items.Select(item => Convert(CollectionBuilder.ItemOf(type), item, field)));
            case FieldTree wrapped when hints.Wrapper != Wrapper.Unwrapped:
                return Unwrapped(type, wrapped, hints.Wrapper, field.MessageType.FindFieldByNumber(1));
        }

        if (hints.Form is { } form) return form.FromTree(value);
        if (ContractClass.SurrogateOf(type) is { } surrogate) return ContractClass.Convert(type, Convert(surrogate, value, field)!, type);
        return value switch
        {
            Int128 number => Numbers.Of(type, number),
            Blob blob => type.IsArray ? blob.ToArray() : Activator.CreateInstance(type, blob.ToArray()),
            FieldTree tree => Build(type, tree, field.MessageType),
            _ => value,
        };
    }

    private static object? Unwrapped(Type type, FieldTree wrapped, Wrapper wrapper, FieldDescriptor field)
    {
        if (wrapped.Fields.TryGetValue(1, out var value)) return Convert(type, value, field);
        return wrapper switch
        {
            Wrapper.Value => Zero(type),
            Wrapper.Items => CollectionBuilder.Build(type, []),
            _ => null,
        };
    }

    private static object ConvertKey(Type type, object key, FieldDescriptor field) => Convert(CollectionBuilder.MapOf(type)!.Value.Key, key, field.MessageType.FindFieldByNumber(1))!;

    private static object? ConvertValue(Type type, object value, FieldDescriptor field)
    {
        var (target, content) = (CollectionBuilder.MapOf(type)!.Value.Value, field.MessageType.FindFieldByNumber(2));
        return FieldHints.Of(field).Wrapper == Wrapper.Value ? Unwrapped(target, (FieldTree)value, Wrapper.Value, content.MessageType.FindFieldByNumber(1)) : Convert(target, value, content);
    }

    private static (object Key, object? Value) Pair(Type type, FieldTree pair, MessageDescriptor descriptor)
    {
        var (key, value) = CollectionBuilder.MapOf(type)!.Value;
        return (Convert(key, pair.Fields[1], descriptor.FindFieldByNumber(1))!, pair.Fields.TryGetValue(2, out var found) ? Convert(value, found, descriptor.FindFieldByNumber(2)) : Zero(value));
    }
}
