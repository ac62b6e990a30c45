using System.Collections;
using System.Globalization;
using Google.Protobuf.Reflection;
using Mux.Serialization.Oracles.Protos;
using Mux.Serialization.Oracles.Values;

namespace Mux.Serialization.Oracles.Trees;

/// <summary>What an object of a contract of ours says. The .proto file tells how values of .NET are written that Google's world does not have.</summary>
public static class ContractTree
{
    private const int KeyNumber = 1;
    private const int ValueNumber = 2;

    /// <param name="message">Or a bare value, which travels as field 1 of a message and is written even if it is zero.</param>
    /// <param name="descriptor">The same message in Google's world.</param>
    public static FieldTree Of(object message, MessageDescriptor descriptor)
    {
        if (ContractMember.Of(message.GetType()).Length > 0) return OfClasses(message, ContractClass.ChainOf(message.GetType()), descriptor);
        var tree = new FieldTree();
        var field = descriptor.FindFieldByNumber(1);
        if (Convert(message, field) is var bare && !IsEmpty(bare)) tree.Add(field.FieldNumber, bare);
        return tree;
    }

    // The part of a derived class is a field of its base.
    private static FieldTree OfClasses(object message, IEnumerable<(int Number, Type Class)> chain, MessageDescriptor descriptor)
    {
        var tree = new FieldTree();
        foreach (var member in ContractMember.Of(chain.First().Class))
        {
            if (ValueOf(member, message, descriptor.FindFieldByNumber(member.Number)) is { } value) tree.Add(member.Number, value);
        }

        foreach (var (number, _) in chain.Skip(1).Take(1)) tree.Add(number, OfClasses(message, chain.Skip(1), descriptor.FindFieldByNumber(number).MessageType));
        return tree;
    }

    private static object? ValueOf(ContractMember member, object message, FieldDescriptor field)
    {
        var value = member.Get(message);
        if (value is null || IsDefaultArray(value) || value.Equals(member.Omitted) || !member.IsThere(message)) return null;
        if (FieldHints.Of(field).Wrapper == Wrapper.Items) return Wrapped(Items(value, field.MessageType.FindFieldByNumber(1)));
        var converted = Convert(value, field);
        bool isZero = member is { IsAlwaysWritten: false, Omitted: null } && Nullable.GetUnderlyingType(member.Type) is null && IsZero(value, field);
        return isZero || IsEmpty(converted) ? null : converted;
    }

    // An immutable array that nobody has made.
    private static bool IsDefaultArray(object value) => value is IStructuralEquatable && value.GetType().GetProperty("IsDefault")?.GetValue(value) is true;

    private static bool IsEmpty(object value) => value is List<object> { Count: 0 } or MapEntries { Items.Count: 0 };

    private static object Convert(object value, FieldDescriptor field)
    {
        switch (value)
        {
            case string or float or double when FieldHints.Of(field).Wrapper == Wrapper.Unwrapped:
                return value;
            case byte[] or Memory<byte> or ReadOnlyMemory<byte> or ArraySegment<byte>:
                return Blob.Of(BytesOf(value));
            case IEnumerable map when field.IsMap:
                return new MapEntries([.. map.Cast<object>().Select(entry => Entry(entry, field))]);
            case IEnumerable list and not string:
                return Items(list, field);
        }

        var hints = FieldHints.Of(field);
        if (hints.Form is { } form) return form.ToTree(value);
        if (hints.Wrapper == Wrapper.Value) return Wrapped(IsNumber(value) && ToNumber(value) == 0 ? null : Convert(value, field.MessageType.FindFieldByNumber(1)));
        if (IsNumber(value)) return ToNumber(value);
        return ContractClass.SurrogateOf(value.GetType()) is { } surrogate ? Convert(ContractClass.Convert(value.GetType(), value, surrogate), field) : Of(value, field.MessageType);
    }

    private static List<object> Items(object list, FieldDescriptor field)
    {
        var items = new List<object>();
        bool isWrapped = FieldHints.Of(field).Wrapper == Wrapper.Item;
        foreach (var item in (IEnumerable)list) items.Add(!isWrapped ? Convert(item, field) : Wrapped(item is null ? null : Convert(item, field.MessageType.FindFieldByNumber(1))));
        return items;
    }

    private static FieldTree Wrapped(object? value)
    {
        var tree = new FieldTree();
        if (value is not null && !IsEmpty(value)) tree.Add(1, value);
        return tree;
    }

    // Pairs of any dictionary, which need not be one that is not generic.
    private static KeyValuePair<object, object> Entry(object entry, FieldDescriptor map)
    {
        var type = entry.GetType();
        var value = type.GetProperty("Value")!.GetValue(entry);
        var field = map.MessageType.FindFieldByNumber(ValueNumber);
        return new(
            Convert(type.GetProperty("Key")!.GetValue(entry)!, map.MessageType.FindFieldByNumber(KeyNumber)),
            FieldHints.Of(map).Wrapper == Wrapper.Value ? Wrapped(value is null or "" ? null : Convert(value, field.MessageType.FindFieldByNumber(1))) : Convert(value!, field));
    }

    private static ReadOnlySpan<byte> BytesOf(object value) => value switch
    {
        byte[] bytes => bytes,
        Memory<byte> memory => memory.Span,
        ReadOnlyMemory<byte> memory => memory.Span,
        var segment => (ArraySegment<byte>)segment,
    };

    private static bool IsNumber(object value) => value is Enum or nint or nuint || (value.GetType().IsPrimitive && value is not (float or double));

    private static Int128 ToNumber(object value) => value switch
    {
        ulong number => number,
        nuint number => number,
        nint number => number,
        char character => character,
        Enum choice => ToNumber(System.Convert.ChangeType(choice, Enum.GetUnderlyingType(choice.GetType()), CultureInfo.InvariantCulture)),
        _ => System.Convert.ToInt64(value, CultureInfo.InvariantCulture),
    };

    // Structs, dates and memory are written whatever they hold.
    private static bool IsZero(object value, FieldDescriptor field)
    {
        var hints = FieldHints.Of(field);
        if (hints.IsAlways) return false;
        if (hints.Form is { } form) return value.Equals(form.Zero);
        return value switch
        {
            float number => number == 0,
            double number => number == 0,
            _ => IsNumber(value) && ToNumber(value) == 0,
        };
    }
}
