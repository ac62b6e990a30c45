using System.Collections;
using System.Globalization;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Mux.Serialization.Oracles.Protos;
using Mux.Serialization.Oracles.Values;

namespace Mux.Serialization.Oracles.Trees;

/// <summary>What a message of Google's says to a member of ours: a field that is always there, as a struct is, is zero if it is not, and one with its default value is not there.</summary>
public static class GoogleTree
{
    public static FieldTree Of(IMessage message)
    {
        var tree = new FieldTree();
        foreach (var field in message.Descriptor.Fields.InFieldNumberOrder())
        {
            if (ValueOf(message, field) is { } value) tree.Add(field.FieldNumber, value);
        }

        return tree;
    }

    private static object? ValueOf(IMessage message, FieldDescriptor field)
    {
        if (field.IsMap)
        {
            var map = (IDictionary)field.Accessor.GetValue(message);
            if (map.Count == 0) return null;
            var keyField = field.MessageType.FindFieldByNumber(1);
            var valueField = field.MessageType.FindFieldByNumber(2);
            var entries = new List<KeyValuePair<object, object>>();
            foreach (DictionaryEntry entry in map) entries.Add(new(Convert(keyField, entry.Key), Convert(valueField, entry.Value!)));
            return new MapEntries(entries);
        }

        if (field.IsRepeated)
        {
            var items = ((IEnumerable)field.Accessor.GetValue(message)).Cast<object>().Select(item => Convert(field, item));
            List<object> ordered = FieldHints.Of(field).Order switch
            {
                Order.Distinct => [.. items.DistinctBy(FieldText.Of)],
                Order.Sorted => [.. items.DistinctBy(FieldText.Of).OrderBy(static item => (Int128)item)],
                _ => [.. items],
            };
            return ordered.Count == 0 ? null : ordered;
        }

        var hints = FieldHints.Of(field);
        bool isThere = !field.HasPresence || field.Accessor.HasValue(message);
        if (!isThere) return hints.IsAlways ? ZeroOf(field, hints) : null;
        var value = field.Accessor.GetValue(message);
        var converted = Convert(field, value);
        bool isLeftOut = field.HasPresence && !hints.IsOmitted ? value.Equals(hints.Default) : IsZero(converted) || (hints.Form is not null && KnownForms.IsZero(hints.Form, converted));
        return isLeftOut ? null : converted;
    }

    private static object ZeroOf(FieldDescriptor field, FieldHints hints)
    {
        if (hints.Form is not null) return hints.Form.ToTree(hints.Form.Zero);
        return field.FieldType == FieldType.Message ? Of((IMessage)Activator.CreateInstance(field.MessageType.ClrType)!) : Convert(field, field.Accessor.GetValue((IMessage)Activator.CreateInstance(field.ContainingType.ClrType)!));
    }

    internal static object Convert(FieldDescriptor field, object value) => value switch
    {
        IMessage message => Of(message),
        ByteString bytes => Blob.Of(bytes.Span),
        string or float or double => value,
        ulong number => (Int128)number,
        bool truth => (Int128)(truth ? 1 : 0),
        _ => (Int128)System.Convert.ToInt64(value, CultureInfo.InvariantCulture),
    };

    private static bool IsZero(object value) => value switch
    {
        Int128 number => number == 0,
        float number => number == 0,
        double number => number == 0,
        string text => text.Length == 0,
        Blob blob => blob.Hex.Length == 0,
        _ => false,
    };
}
