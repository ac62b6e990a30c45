using System.Collections;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Google.Protobuf.WellKnownTypes;

namespace Mux.Proto.Tests.Messages;

/// <summary>Google's messages as <see cref="ObjectText"/> has objects with the same values.</summary>
internal static class MessageText
{
    public static string Of(IMessage message) =>
        $"({string.Join(", ", message.Descriptor.Fields.InDeclarationOrder().Select(field => $"{field.FieldNumber}: {Member(message, field)}"))})";

    private static string Member(IMessage message, FieldDescriptor field)
    {
        var value = field.Accessor.GetValue(message);
        if (field.IsMap) return Map((IDictionary)value, field.MessageType.FindFieldByNumber(1), field.MessageType.FindFieldByNumber(2));
        if (field.IsRepeated) return $"[{string.Join(", ", ((IList)value).Cast<object>().Select(item => Value(item, field, isItem: true)))}]";
        // The class knows the features of editions, and the descriptors do not.
        bool isAbsent = value is null || message.GetType().GetProperty("Has" + field.PropertyName)?.GetValue(message) is false;
        return isAbsent ? "null" : Value(value!, field, isItem: false);
    }

    private static string Map(IDictionary map, FieldDescriptor key, FieldDescriptor value)
    {
        var pairs = map.Keys.Cast<object>().Select(name => (Key: Value(name, key, isItem: true), Value: Value(map[name]!, value, isItem: true)));
        return key.FieldType == FieldType.Bool
            ? $"[{string.Join(", ", pairs.Select(static pair => $"(1: {pair.Key}, 2: {pair.Value})"))}]"
            : $"{{{string.Join(", ", pairs.Select(static pair => $"{pair.Key}: {pair.Value}").Order(StringComparer.Ordinal))}}}";
    }

    // Imported lists and maps have wrappers as messages.
    private static string Value(object value, FieldDescriptor field, bool isItem) => value switch
    {
        Timestamp time => ObjectText.Of(time.ToDateTime()),
        Duration span => ObjectText.Of(span.ToTimeSpan()),
        IMessage message => Of(message),
        ByteString bytes => Wrapped(ObjectText.Of(bytes.ToByteArray()), field, isItem),
        _ => Wrapped(ObjectText.Of(value), field, isItem),
    };

    private static string Wrapped(string text, FieldDescriptor field, bool isItem) =>
        isItem && field.FieldType == FieldType.Message ? $"(1: {text})" : text;
}
